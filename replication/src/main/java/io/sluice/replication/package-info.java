/** The stream of effects that keeps replicas equal to their primary. */
package io.sluice.replication;
