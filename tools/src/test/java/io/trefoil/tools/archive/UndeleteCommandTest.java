/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.archive;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.checkpoint.archive.HistoricalFile;
import io.trefoil.checkpoint.undelete.SurvivingCopy;
import io.trefoil.checkpoint.undelete.UndeleteOptions;
import io.trefoil.checkpoint.undelete.UndeletePlanner;
import io.trefoil.checkpoint.undelete.UndeleteStep;
import io.trefoil.tools.output.ExitCode;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** {@code archive undelete} on a pool whose nodes hold what a test says. */
class UndeleteCommandTest extends ArchiveFixture {

    @Test
    void undeleteListsEachPathAndChangesNothingWithoutOrder() throws Exception {
        holdImage(2);
        write();
        String work = directory.resolve("scratch").toString();
        HistoricalFile file = HistoricalFile.builder()
                .path("/logs/a")
                .kind(HistoricalFile.Kind.FILE)
                .permission("rw-r-----")
                .owner("alice")
                .group("staff")
                .bytes(7)
                .modifiedMillis(1_000)
                .inode(16_390)
                .build();
        SurvivingCopy copy = SurvivingCopy.of(SurvivingCopy.Keeper.SNAPSHOT, "/logs/.snapshot/s1/a", 7, 1_000);
        UndeleteStep had = UndeletePlanner.planFile(file, false, List.of(copy), UndeleteOptions.of(false));
        pool.undeleteSteps = List.of(had, UndeletePlanner.planLoss(file, "it is a symbolic link"));

        assertThat(run("undelete", "--work", work, "--txid", "3", "/logs/a")).isEqualTo(ExitCode.FINDING);
        assertThat(pool.output)
                .isEqualTo(
                        """
                        after transaction 3
                        ACTION  PATH     WHY
                        copy    /logs/a  a snapshot has it: /logs/.snapshot/s1/a
                        lose    /logs/a  it is a symbolic link
                        1 to be done, 0 there already, 1 not brought back
                        dry run, nothing was changed; --execute does it
                        """);
        assertThat(pool.undeleted).isEmpty();

        pool.undeleteSteps = List.of(had);
        assertThat(run("undelete", "--work", work, "--txid", "3", "--execute", "--copy-renamed", "--json", "/logs/a"))
                .as(pool.errors)
                .isZero();
        assertThat(pool.output)
                .contains("\"action\": \"copy\"", "\"source\": \"/logs/.snapshot/s1/a\"", "\"executed\": true");
        assertThat(pool.undeleted).containsExactly(had);
        assertThat(pool.undeleteOptions).containsExactly(UndeleteOptions.of(false), UndeleteOptions.of(true));
        pool.undeleteFailure = Optional.of("it is in the way");
        assertThat(run("undelete", "--work", work, "--txid", "3", "--execute", "/logs/a"))
                .isEqualTo(ExitCode.FINDING);
        assertThat(pool.output)
                .contains(
                        "fail    /logs/a  a snapshot has it: /logs/.snapshot/s1/a; failed: it is in the way",
                        "0 done, 0 there already, 1 not brought back");
        assertThat(run("undelete", "--work", work, "--txid", "3", "--overwrite", "/logs/a"))
                .as("nothing is ever overwritten")
                .isEqualTo(ExitCode.USAGE);
        assertThat(run("undelete", "--work", work, "/logs/a")).isEqualTo(ExitCode.USAGE);
        assertThat(pool.errors).contains("Wanted --at or --txid");
        assertThat(run("undelete", "--work", work, "--txid", "3", "logs")).isEqualTo(ExitCode.USAGE);
        assertThat(pool.errors).contains("PATH is a path from / on; got logs");
        pool.poolConfigured = false;
        assertThat(run("undelete", "--work", work, "--txid", "3", "/logs/a")).isEqualTo(ExitCode.USAGE);
        assertThat(pool.errors).contains("Wanted a nameservice of the configuration whose NameNodes have journal ns1");
    }
}
