import assert from "node:assert/strict";
import { requireLogHeaders, resolveLogs } from "../../../cluster/logs";
import { resolveCluster } from "../../../cluster/resolve";

const ca = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
const otlp = { protocol: "otlp", url: "https://loki.example/otlp" };
const syslog = { protocol: "syslog", url: "tls://logs.example:6514" };

describe("the server that logs are sent to", () => {
    it("is none by default", () => assert.equal(resolveCluster({ name: "c" }).logs, undefined));

    it("gets the audit log too, if there is one", () => {
        assert.equal(resolveLogs(otlp).audit, true);
        assert.equal(resolveLogs({ ...otlp, audit: false }).audit, false);
        assert.equal(resolveCluster({ name: "c", auditLog: false, logs: otlp }).logs!.audit, false);
    });

    for (const [protocol, url] of [
        ["otlp", "https://loki.example/otlp"],
        ["otlp", "http://collector.monitoring.svc:4318"],
        ["syslog", "tls://logs.example:6514"],
        ["syslog", "tcp://[fd00::1]:601"],
    ] as const) {
        it(`takes ${url} for ${protocol}`, () => assert.equal(resolveLogs({ protocol, url }).url, url));
    }

    const wrong: [string, object, RegExp][] = [
        [
            "another protocol",
            { ...otlp, protocol: "loki" },
            /^logs\.protocol must be one of otlp, syslog \(got loki\)$/,
        ],
        ["a host only", { ...otlp, url: "loki.example" }, /^logs\.url must be an http:\/\/ or https:\/\/ URL without/],
        [
            "a URL with a login",
            { ...otlp, url: "https://u:secret@loki.example" },
            /\(got https:\/\/\.\.\.@loki\.example\)$/,
        ],
        ["the path of OTLP", { ...otlp, url: "https://a.example/v1/logs" }, /^logs\.url must not end with \/v1\/logs/],
        ["syslog for otlp", { ...otlp, url: syslog.url }, /^logs\.url must be an http/],
        ["otlp for syslog", { ...syslog, url: otlp.url }, /^logs\.url must be tls:\/\/<host>:<port> or tcp:/],
        ["syslog without a port", { ...syslog, url: "tls://logs.example" }, /^logs\.url must be tls:/],
        ["syslog by UDP", { ...syslog, url: "udp://logs.example:514" }, /^logs\.url must be tls:/],
        ["a path of a CA", { ...otlp, ca: "/etc/ca.crt" }, /^logs\.ca must be certificates in PEM form/],
        [
            "a CA without TLS",
            { ...syslog, url: "tcp://a.example:601", ca },
            /^logs\.ca conflicts with a URL without TLS/,
        ],
    ];
    for (const [what, options, message] of wrong) {
        it(`is not given by ${what}`, () => assert.throws(() => resolveLogs(options as never), { message }));
    }

    it("gets no audit log if there is none", () => {
        assert.throws(() => resolveLogs({ ...otlp, audit: true }, false), { message: "logs.audit requires auditLog" });
    });
});

describe("headers for a server of logs", () => {
    const wrong: [string, Parameters<typeof requireLogHeaders>, string][] = [
        ["without a server", [undefined, { A: "secret" }], "logHeaders requires logs"],
        ["for syslog", [syslog as never, { A: "secret" }], "logHeaders conflicts with logs.protocol (got syslog)"],
        [
            "without TLS",
            [{ protocol: "otlp", url: "http://a.example" }, { A: "secret" }],
            "logHeaders conflicts with a URL without TLS (got http://a.example)",
        ],
        [
            "with a bad name",
            [otlp as never, { "A:": "secret" }],
            "a key of logHeaders must be the name of an HTTP header (got A:)",
        ],
        [
            "with two lines",
            [otlp as never, { A: "secret\nB: c" }],
            "logHeaders.A must be text of ASCII characters in one line",
        ],
    ];
    for (const [what, args, message] of wrong) {
        it(`are refused ${what}`, () => assert.throws(() => requireLogHeaders(...args), { message }));
    }

    it("may have any printable characters", () => {
        const headers = { Authorization: "Basic dTpw==", "X-Scope-OrgID": "a b$c" };
        assert.equal(requireLogHeaders(otlp as never, headers), headers);
        assert.deepEqual(requireLogHeaders(undefined, {}), {});
    });
});
