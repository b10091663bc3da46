/** TLS for clients and for the link to a primary: certificates, protocols, the handshake and its bounds. */
package io.sluice.server.tls;
