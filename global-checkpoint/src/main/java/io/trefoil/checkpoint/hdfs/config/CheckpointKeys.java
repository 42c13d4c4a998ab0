/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs.config;

import io.trefoil.foundation.hdfs.ConfigKey;
import io.trefoil.foundation.hdfs.SettingsSection;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** All settings of checkpoints; {@code docs/reference/checkpoint-settings.md} is generated from these keys. */
public final class CheckpointKeys implements SettingsSection {

    /** The port of every NameNode's plugin. */
    public static final ConfigKey<Integer> PORT = ConfigKey.count("trefoil.checkpoint.port")
            .withDefault("8023")
            .withBound("between 1 and 65535", port -> port >= 1 && port <= 65_535)
            .withDoc("The port at which `CheckpointPlugin` listens, on the host of the NameNode's RPC address. It "
                    + "is a port of its own because during a freeze all of the NameNode's handlers may "
                    + "wait for the lock.");

    public static final ConfigKey<Duration> FREEZE_TIMEOUT = ConfigKey.duration("trefoil.checkpoint.freeze.timeout")
            .withDefault("2s")
            .withBound("between 50ms and 60s", timeout -> timeout.toMillis() >= 50 && timeout.toMillis() <= 60_000)
            .withDoc("How long the NameNodes may take until all are frozen, and how long each of them waits at "
                    + "most, frozen, for the order to cut. After that each releases its lock by itself, "
                    + "and the checkpoint fails.");

    public static final ConfigKey<Integer> RETAINED = ConfigKey.count("trefoil.checkpoint.retained.count")
            .withBound("between 1 and 50", count -> count >= 1 && count <= 50)
            .withDoc("How many checkpoints of the same nameservices `checkpoint create` keeps, including the one "
                    + "that it makes; read by the command. If not set: all, up to the 64 barriers that "
                    + "a journal may have.");

    public static final ConfigKey<Duration> RETAINED_AGE = ConfigKey.duration("trefoil.checkpoint.retained.age")
            .withBound("between 1h and 3650d", age -> age.toHours() >= 1 && age.toDays() <= 3_650)
            .withDoc("How old a checkpoint may become before `checkpoint create` deletes it; read by the command. "
                    + "The newest stays, however old it is. If not set: any age.");

    private static final List<ConfigKey<?>> ALL =
            Collections.unmodifiableList(Arrays.<ConfigKey<?>>asList(PORT, FREEZE_TIMEOUT, RETAINED, RETAINED_AGE));

    /** Creates an instance for {@code ServiceLoader}. */
    public CheckpointKeys() {}

    @Override
    public String section() {
        return "checkpoint";
    }

    @Override
    public List<ConfigKey<?>> keys() {
        return ALL;
    }

    @Override
    public Map<String, String> removedSettings() {
        return Collections.singletonMap("trefoil.checkpoint.answer.timeout", "it is 10 s");
    }

    /** All keys, in the order of the reference page. */
    static List<ConfigKey<?>> all() {
        return ALL;
    }
}
