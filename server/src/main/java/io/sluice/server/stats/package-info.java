/** What the server counts, for INFO, SLOWLOG, LATENCY, HOTKEYS and the metrics. */
package io.sluice.server.stats;
