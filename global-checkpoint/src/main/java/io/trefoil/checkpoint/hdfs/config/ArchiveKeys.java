/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs.config;

import io.trefoil.foundation.hdfs.ConfigKey;
import io.trefoil.foundation.hdfs.SettingsSection;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** All settings of the archive; {@code docs/reference/archive-settings.md} is generated from these keys. */
public final class ArchiveKeys implements SettingsSection {

    /** The setting for the location of the archives. */
    public static final ConfigKey<String> DIR = ConfigKey.text("trefoil.archive.dir")
            .withDoc(
                    "A URI that Hadoop knows: `file:///mnt/nfs/hdfs`, `hdfs://other/backup`, `s3a://…`, not on the cluster itself. "
                            + "There one NameNode of the group, not the active where there is another, keeps every committed edit and the "
                            + "images; each journal has a directory of its name. If not set: nothing is archived.");

    /** The setting for how long instants stay available. */
    public static final ConfigKey<Duration> RETENTION = ConfigKey.duration("trefoil.archive.retention")
            .withBound("between 1h and 3650d", time -> time.toHours() >= 1 && time.toDays() <= 3_650)
            .withDoc(
                    "For how long every instant can be had. Once an hour the NameNode that archives deletes what no later one needs; the two "
                            + "newest images and the edits since stay, however old they are. If not set: nothing is deleted.");

    private static final List<ConfigKey<?>> ALL =
            Collections.unmodifiableList(Arrays.<ConfigKey<?>>asList(DIR, RETENTION));

    /** Called by {@code ServiceLoader}. */
    public ArchiveKeys() {}

    @Override
    public String section() {
        return "archive";
    }

    @Override
    public List<ConfigKey<?>> keys() {
        return ALL;
    }

    /** All keys, in the order of the reference page. */
    static List<ConfigKey<?>> all() {
        return ALL;
    }
}
