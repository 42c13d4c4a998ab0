/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.status;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.io.IOUtils;

/**
 * The page {@code /trefoil/} in the NameNode's own web server, behind the filters of its other pages: three static files
 * and the document that they show, {@code /trefoil/status}.
 *
 * <p>HDFS's web server is already running when plugins start: it accepts a new servlet then, but initializes only those
 * that were there before. So this class makes it initialize its own, as {@code WebAnswers} does.
 *
 * <p>Uses {@code NameNode.getHttpServer}; {@code HttpServer2.setAttribute}, {@code addServlet}, {@code
 * getWebAppContext}, {@code isInstrumentationAccessAllowed}; {@code IOUtils.copyBytes}.
 */
public final class StatusServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    private static final String NAME = "trefoil-status";
    private static final int BUFFER_BYTES = 8192;
    /**
     * The content security policy: whatever an answer contains, the browser runs only the page's own script and
     * loads nothing from elsewhere.
     */
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:;"
                    + " base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

    /** Adds the page to a NameNode. Call it once. */
    public static void add(NameNode nameNode, StatusSurvey survey) throws IOException {
        HttpServer2 server = nameNode.getHttpServer();
        server.setAttribute(NAME, survey);
        server.addServlet(NAME, "/trefoil/*", StatusServlet.class);
        try {
            server.getWebAppContext().getServletHandler().initialize();
        } catch (Exception e) {
            throw new IOException("The NameNode's web server does not accept the page /trefoil", e);
        }
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        // Protected like /jmx, because it reveals as much.
        if (!HttpServer2.isInstrumentationAccessAllowed(getServletContext(), request, response)) {
            return;
        }
        response.setHeader("Content-Security-Policy", POLICY);
        response.setHeader("Referrer-Policy", "no-referrer");
        String path = request.getPathInfo() == null ? "" : request.getPathInfo();
        switch (path) {
            case "":
                // Relative names on the page need the slash; a proxy may have prepended a path.
                response.sendRedirect(request.getRequestURI() + "/");
                break;
            case "/":
                send(response, "text/html", resource("page.html"));
                break;
            case "/page.js":
                send(response, "text/javascript", resource("page.js"));
                break;
            case "/page.css":
                send(response, "text/css", resource("page.css"));
                break;
            case "/status":
                response.setHeader("Cache-Control", "no-store");
                send(response, "application/json", survey().json().getBytes(StandardCharsets.UTF_8));
                break;
            default:
                response.sendError(HttpServletResponse.SC_NOT_FOUND);
        }
    }

    private StatusSurvey survey() {
        return (StatusSurvey) getServletContext().getAttribute(NAME);
    }

    private static void send(HttpServletResponse response, String type, byte[] content) throws IOException {
        response.setContentType(type + ";charset=utf-8");
        response.setContentLength(content.length);
        response.getOutputStream().write(content);
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream in = StatusServlet.class.getResourceAsStream(name)) {
            ByteArrayOutputStream content = new ByteArrayOutputStream();
            IOUtils.copyBytes(in, content, BUFFER_BYTES);
            return content.toByteArray();
        }
    }
}
