/** The configuration: every option once, in {@code ConfigTable}, for the file, the arguments, CONFIG and the docs. */
package io.sluice.server.config;
