/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive.store;

import java.io.Closeable;

/** A namespace of the past that clients can read until this is closed. Thread-safe. */
public interface ServedNamespace extends Closeable {

    /** The URI of the file system. */
    String uri();

    /** The address of the web page; that of HTTPS where there is no other. */
    String webAddress();

    /** Waits until it is no longer served. */
    void join();

    /** Stops serving it. */
    @Override
    void close();
}
