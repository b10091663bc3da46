/** The HTTP port: {@code /metrics} for Prometheus, {@code /healthz} and {@code /readyz} for orchestrators. */
package io.sluice.server.metrics;
