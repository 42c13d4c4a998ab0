/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Hashed directories: the files of one directory tree spread over several nameservices by their names. {@link
 * io.trefoil.federation.client.hashed.HashedLayout} says where everything is; {@link
 * io.trefoil.federation.client.hashed.HashedTree} has all that one can do, by {@link
 * io.trefoil.federation.client.hashed.PathResolver}, which finds, {@link io.trefoil.federation.client.hashed.DirectoryCreator}, which
 * makes directories, {@link io.trefoil.federation.client.hashed.PendingOperations}, which renames and deletes them,
 * {@link io.trefoil.federation.client.hashed.AttributeChanger}, which changes who may do what in them, and {@link
 * io.trefoil.federation.client.hashed.FileRenamer}, which renames files. All of it is pure but for the calls of {@link
 * io.trefoil.federation.client.hashed.Group}. See docs/design/hashed-directories.md.
 */
package io.trefoil.federation.client.hashed;
