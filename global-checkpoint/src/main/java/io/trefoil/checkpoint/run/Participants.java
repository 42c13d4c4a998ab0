/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.run;

import io.trefoil.checkpoint.model.Agreement;
import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.Cut;
import io.trefoil.checkpoint.model.FreezeOrder;
import io.trefoil.checkpoint.model.Grant;
import java.io.IOException;

/** The participants of one checkpoint, from the coordinator's side. All methods wait for an answer; any thread. */
public interface Participants {

    /** Finds the active of a nameservice, and has it do everything that does not require the lock. */
    void prepare(String nameservice, FreezeOrder order) throws IOException;

    /** Asks the NameNode that has prepared for the reading of its clock, in milliseconds since 1970. */
    long clock(String nameservice) throws IOException;

    /** Freezes that NameNode. */
    Grant freeze(String nameservice, FreezeOrder order) throws IOException;

    /** Orders that NameNode to cut. */
    Cut cut(String nameservice, Grant grant, Agreement agreement) throws IOException;

    /** Orders that NameNode to remove the checkpoint, or whichever is active if it does not confirm. */
    void abandon(String nameservice, CheckpointId id) throws IOException;
}
