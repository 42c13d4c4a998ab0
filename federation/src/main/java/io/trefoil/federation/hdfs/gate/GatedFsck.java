/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.gate;

import io.trefoil.federation.gate.AccessedPaths;
import io.trefoil.ha.hdfs.calls.WebAnswers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.hdfs.server.namenode.NameNode;

/**
 * Refuses {@code hdfs fsck -delete} and {@code -move} where something is frozen: HDFS deletes corrupt files outside its RPC. One that
 * was let through is a single change of all that is in its path until it ends, so a freeze in it is refused meanwhile.
 */
public final class GatedFsck implements Filter {
    private static final String NAME = "trefoil-fsck";
    private static final String PAGE = "/fsck";
    private static final String DELETE = "delete";
    private static final String MOVE = "move";
    /** The directory in which fsck puts the remains of corrupt files. */
    private static final String LOST_AND_FOUND = "/lost+found";

    private SubtreeGate gate;

    /** Installs the check; must be called once, before the NameNode is active. */
    public static void guard(NameNode nameNode, SubtreeGate gate) throws IOException {
        WebAnswers.addFilter(nameNode, NAME, GatedFsck.class, gate, PAGE);
    }

    @Override
    public void init(FilterConfig config) {
        gate = (SubtreeGate) config.getServletContext().getAttribute(NAME);
    }

    @Override
    public void destroy() {
        // There is nothing to end.
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (request.getParameter(DELETE) == null && request.getParameter(MOVE) == null) {
            chain.doFilter(request, response);
            return;
        }
        try (InFlightChanges.Admission admission =
                gate.admit(() -> AccessedPaths.of(paths(request), Optional.empty()))) {
            Optional<IOException> refusal = gate.refusal(admission);
            if (refusal.isPresent()) {
                ((HttpServletResponse) response)
                        .sendError(
                                HttpServletResponse.SC_SERVICE_UNAVAILABLE,
                                refusal.get().getMessage());
            } else {
                chain.doFilter(request, response);
            }
        }
    }

    private static List<String> paths(ServletRequest request) {
        List<String> paths = new ArrayList<>();
        String path = request.getParameter("path");
        paths.add(path == null ? "/" : path);
        if (request.getParameter(MOVE) != null) {
            paths.add(LOST_AND_FOUND);
        }
        return paths;
    }
}
