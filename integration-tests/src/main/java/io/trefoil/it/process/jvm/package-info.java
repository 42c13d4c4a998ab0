/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Java processes of a chosen JDK that do not outlive who started them: {@link io.trefoil.it.process.jvm.Leashed} ends with its
 * parent, {@link io.trefoil.it.process.jvm.StrayGuard} ends what is left when even that is killed.
 */
package io.trefoil.it.process.jvm;
