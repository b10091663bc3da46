/** Snapshots in Redis's RDB format: written slice by slice while commands go on, read with suspicion. */
package io.sluice.persistence.snapshot;
