/**
 * The demo behind {@code bin/demo}: everything that can be done to an active NameNode is done to real ones under load, and a
 * federation goes back to a checkpoint; at the end nothing that was acknowledged is missing. Entry class: {@link
 * io.trefoil.it.demo.Demo}.
 */
package io.trefoil.it.demo;
