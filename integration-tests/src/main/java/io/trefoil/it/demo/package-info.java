/**
 * The demo behind {@code bin/demo}: a real cluster loses its active NameNode to kill -9 under load, and nothing that was
 * acknowledged. Entry class: {@link io.trefoil.it.demo.Demo}.
 */
package io.trefoil.it.demo;
