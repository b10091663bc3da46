/** Caches in clients: who has read which keys and must be told when they change. */
package io.sluice.server.tracking;
