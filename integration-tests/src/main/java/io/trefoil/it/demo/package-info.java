/**
 * The demo behind {@code bin/demo}: real NameNodes under load suffer everything that can happen to an active, and a
 * federation goes back to a checkpoint; at the end nothing that was acknowledged is missing. Entry class:
 * {@link io.trefoil.it.demo.Demo}.
 */
package io.trefoil.it.demo;
