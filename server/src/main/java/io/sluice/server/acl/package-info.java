/** Users and what they may do: rules in Redis's language, compiled so that a check is a few comparisons. */
package io.sluice.server.acl;
