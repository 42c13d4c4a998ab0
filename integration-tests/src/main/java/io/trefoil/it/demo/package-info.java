/**
 * The demo behind {@code bin/demo}: real NameNodes under load suffer everything that can happen to an active, and a federation is restored
 * to a checkpoint; in the end, no acknowledged change is missing. Entry class: {@link io.trefoil.it.demo.Demo}.
 */
package io.trefoil.it.demo;
