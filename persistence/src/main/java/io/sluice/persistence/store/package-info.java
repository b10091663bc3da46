/** Where entries live: off-heap, durable, found by key. Knows nothing of what a value means. */
package io.sluice.persistence.store;
