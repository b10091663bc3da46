/** Measurements: JMH benchmarks of parts, and a load generator for whole servers, ours and others. */
package io.sluice.benchmarks;
