/** Lists, sets, sorted sets and hashes: one packed structure in the bytes of an entry, changed in place. */
package io.sluice.persistence.collection;
