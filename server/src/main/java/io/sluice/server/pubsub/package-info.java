/** Messages between clients: who is subscribed to what, and how a message gets to all of them. */
package io.sluice.server.pubsub;
