/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.host;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledIf;

/** For tests with disks that hang and die, which disks in memory cannot: in some containers, root has no loop devices. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@EnabledIf(
        value = "io.trefoil.it.process.Shell#hasLoopDevices",
        disabledReason = "needs root, and loop devices to mount file systems of its own")
public @interface NeedsLoopDevices {}
