/** The keyspace: typed values with an expiry over a store of bytes, with one way to write. */
package io.sluice.persistence;
