/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.gate;

import io.trefoil.federation.client.hdfs.SubtreeMovedException;
import io.trefoil.federation.gate.AccessedPaths;
import io.trefoil.federation.gate.Verdict;
import io.trefoil.federation.marks.FrozenMark;
import io.trefoil.ha.hdfs.calls.WebAnswers;
import java.io.IOException;
import java.io.UnsupportedEncodingException;
import java.net.URLDecoder;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.hdfs.server.common.JspHelper;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.web.WebHdfsFileSystem;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;

/**
 * Refuses WebHDFS requests, which HDFS executes outside its RPC, that would change a frozen subtree, read a closed one, concern a path of
 * another nameservice, or remove a protected directory. The web server has few threads, so none waits: a WebHDFS client repeats a call that
 * was refused with a {@code RetriableException}.
 *
 * <p>Uses {@code WebHdfsFileSystem.PATH_PREFIX}; {@code JspHelper.getUGI}, as WebHDFS itself; {@code UserGroupInformation.doAs}; {@code
 * RetriableException}.
 */
public final class GatedWebHdfs implements Filter {
    private static final String NAME = "trefoil-subtrees";
    private static final Set<String> READING =
            Collections.unmodifiableSet(new HashSet<>(Arrays.asList("GET", "HEAD", "OPTIONS")));
    /** The parameters that contain further paths; a list is separated by commas. */
    private static final Set<String> PATHS =
            Collections.unmodifiableSet(new HashSet<>(Arrays.asList("destination", "sources")));

    /** The operations that read the whole content of a directory. WebHDFS ignores the case of their names. */
    private static final Pattern SUMS =
            Pattern.compile("(^|&)op=get(contentsummary|quotausage)", Pattern.CASE_INSENSITIVE);

    /** The operations that delete or rename the directory in the request's own path. */
    private static final Pattern REMOVALS = Pattern.compile("(^|&)op=(delete|rename)(&|$)", Pattern.CASE_INSENSITIVE);

    private static final Pattern OVERWRITES =
            Pattern.compile("(^|&)renameoptions=[^&]*overwrite", Pattern.CASE_INSENSITIVE);

    /** The path parameters that a URI may have after each name. */
    private static final Pattern PARAMETERS = Pattern.compile(";[^/]*");

    private SubtreeGate gate;
    private ServletContext context;

    /** Installs the filter; must be called once, before the NameNode is active. */
    public static void guard(NameNode nameNode, SubtreeGate gate) throws IOException {
        WebAnswers.addFilter(nameNode, NAME, GatedWebHdfs.class, gate);
    }

    @Override
    public void init(FilterConfig config) {
        context = config.getServletContext();
        gate = (SubtreeGate) context.getAttribute(NAME);
    }

    @Override
    public void destroy() {
        // There is nothing to end.
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        HttpServletRequest httpRequest = (HttpServletRequest) request;
        if (READING.contains(httpRequest.getMethod())) {
            Verdict verdict = gate.mustCheckReads() ? verdictOfRead(httpRequest) : Verdict.PASS;
            Optional<IOException> refusal = verdict.kind() == Verdict.Kind.PASS
                    ? redirectOrRefusal(httpRequest)
                    : Optional.of(new RetriableException(verdict.refusal()));
            forwardOrRefuse(refusal, httpRequest, response, chain);
            return;
        }
        try (InFlightChanges.Admission admission = gate.admit(() -> pathsToChange(httpRequest))) {
            Optional<IOException> refusal = refusal(httpRequest.getQueryString(), admission);
            if (!refusal.isPresent()) {
                refusal = redirectOrRefusal(httpRequest);
            }
            forwardOrRefuse(refusal.isPresent() ? refusal : removalRefusal(httpRequest), httpRequest, response, chain);
        }
    }

    /** Returns why the directory that a request would delete, rename or replace is protected; empty if it is not. */
    private Optional<IOException> removalRefusal(HttpServletRequest request) {
        String query = request.getQueryString();
        if (query == null || !REMOVALS.matcher(decodeUri(query)).find()) {
            return Optional.empty();
        }
        try {
            List<String> removed = paths(request.getRequestURI());
            gate.requireRemovable(removed);
            if (OVERWRITES.matcher(decodeUri(query)).find()) {
                for (String replaced : paths(request)) {
                    if (!removed.contains(replaced)) {
                        gate.requireReplaceable(replaced, removed.get(0));
                    }
                }
            }
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(e);
        }
    }

    private static AccessedPaths pathsToChange(HttpServletRequest request) {
        return AccessedPaths.of(paths(request), Optional.empty());
    }

    private static void forwardOrRefuse(
            Optional<IOException> refusal, ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (refusal.isPresent()) {
            WebAnswers.refuse((HttpServletResponse) response, refusal.get());
        } else {
            chain.doFilter(request, response);
        }
    }

    /**
     * The refusal of a request for a path that belongs to another nameservice, or is closed; empty if it is admitted, like those of
     * superusers, who deal with the remains.
     */
    private Optional<IOException> redirectOrRefusal(HttpServletRequest request) throws IOException {
        boolean mayBeClosed = READING.contains(request.getMethod()) ? gate.mustCheckAccess() : gate.mayBeClosed();
        if (!gate.hasMovedSubtrees() && !mayBeClosed) {
            return Optional.empty();
        }
        UserGroupInformation caller;
        try {
            caller = JspHelper.getUGI(context, request, gate.conf(), AuthenticationMethod.KERBEROS, false);
        } catch (IOException e) {
            // HDFS does not know the caller either, and says so.
            return Optional.empty();
        }
        try {
            caller.doAs((PrivilegedExceptionAction<Void>) () -> {
                gate.requireOwnedHere(pathsToChange(request));
                if (mayBeClosed) {
                    gate.requireNotClosed(paths(request));
                }
                return null;
            });
            return Optional.empty();
        } catch (SubtreeMovedException e) {
            return Optional.of(new SubtreeMovedException(e.getMessage()
                    + "; over HTTP ask a NameNode of that nameservice, or HttpFS or a Router that follows the table"));
        } catch (AccessControlException e) {
            return Optional.of(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of(new RetriableException("This NameNode is stopping"));
        }
    }

    private Verdict verdictOfRead(HttpServletRequest request) {
        AccessedPaths read = pathsToChange(request);
        String query = request.getQueryString();
        return query != null && SUMS.matcher(decodeUri(query)).find()
                ? gate.verdictOfSum(read)
                : gate.verdictOfRead(read);
    }

    private Optional<IOException> refusal(String query, InFlightChanges.Admission admission) {
        if (query != null && decodeUri(query).contains(FrozenMark.PREFIX)) {
            return Optional.of(new IOException("WebHDFS does not change what is frozen"));
        }
        return gate.refusal(admission);
    }

    /** The paths named in a request, in its own path and in its query. */
    private static List<String> paths(HttpServletRequest request) {
        List<String> paths = new ArrayList<>();
        paths.addAll(paths(request.getRequestURI()));
        String query = request.getQueryString();
        if (query != null) {
            for (String parameter : query.split("&", -1)) {
                int equals = parameter.indexOf('=');
                // WebHDFS ignores the case of the names.
                if (equals > 0
                        && PATHS.contains(
                                decodeUri(parameter.substring(0, equals)).toLowerCase(Locale.ROOT))) {
                    String value = decodeUri(parameter.substring(equals + 1));
                    paths.addAll(Arrays.asList(value.split(",", -1)));
                    // One path may have commas in it.
                    paths.add(value);
                }
            }
        }
        return paths;
    }

    /**
     * The paths that WebHDFS may understand from a URI. It cuts off as many characters as its own prefix has, whatever they are. What
     * follows a semicolon in a name is part of the name in Hadoop 3.4, and left out in 3.5.
     */
    private static List<String> paths(String uri) {
        int begin = WebHdfsFileSystem.PATH_PREFIX.length() + 1;
        String path = uri.length() > begin ? uri.substring(begin).replace("+", "%2B") : "";
        return Arrays.asList(
                "/" + decodeUri(path), "/" + decodeUri(PARAMETERS.matcher(path).replaceAll("")));
    }

    private static String decodeUri(String text) {
        try {
            return URLDecoder.decode(text, "UTF-8");
        } catch (UnsupportedEncodingException e) {
            throw new AssertionError("Every JVM has it", e);
        }
    }
}
