import assert from "node:assert/strict";
import { apiHealthCheck, requireApiHealthCheck } from "../../../../../components/aws/network/health-check";
import { resolveAws } from "../../../../../components/aws/resolve";

const suite = "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256";

describe("the health check of the API on AWS", () => {
    const legal: [title: string, option: string | undefined, flags: Record<string, string>][] = [
        ["no flags", undefined, {}],
        ["TLS 1.2", "https", { "tls-min-version": "VersionTLS12" }],
        ["a suite that AWS has", "https", { "tls-cipher-suites": `TLS_AES_128_GCM_SHA256, ${suite}` }],
        ["no list of suites", "https", { "tls-cipher-suites": "" }],
        ["TLS 1.3, if only the port is checked", "tcp", { "tls-min-version": "VersionTLS13" }],
        ["any suites, if only the port is checked", "tcp", { "tls-cipher-suites": "TLS_AES_128_GCM_SHA256" }],
    ];
    for (const [title, option, flags] of legal) {
        it(`accepts ${title}`, () => assert.equal(requireApiHealthCheck(option, flags), option ?? "https"));
    }

    const illegal: [title: string, option: string | undefined, flags: Record<string, string>, error: RegExp][] = [
        [
            "TLS 1.3 alone",
            undefined,
            { "tls-min-version": "VersionTLS13" },
            /^components\.kubeApiserver\.tls-min-version must be VersionTLS12 with apiHealthCheck https, because AWS' HTTPS health checks have TLS 1\.2 at most; or set apiHealthCheck to tcp \(got VersionTLS13\)$/,
        ],
        [
            "suites of TLS 1.3 alone",
            "https",
            { "tls-cipher-suites": "TLS_AES_128_GCM_SHA256" },
            /^components\.kubeApiserver\.tls-cipher-suites must be a list with one of TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .* \(got TLS_AES_128_GCM_SHA256\)$/,
        ],
        [
            "suites for other certificates",
            "https",
            { "tls-cipher-suites": "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256" },
            /tls-cipher-suites must be a list with one of/,
        ],
        ["another check", "http", {}, /^apiHealthCheck must be one of https, tcp \(got http\)$/],
    ];
    for (const [title, option, flags, error] of illegal) {
        it(`refuses ${title}`, () =>
            assert.throws(
                () => requireApiHealthCheck(option, flags),
                ({ message }: Error) => error.test(message),
            ));
    }

    it("is refused with the other options of a stack", () => {
        const options = { domain: "example.com", region: "eu-central-1" };
        const components = { kubeApiserver: { "tls-min-version": "VersionTLS13" } };
        assert.throws(() => resolveAws("c", { ...options, components }), /tls-min-version must be VersionTLS12/);
        assert.equal(resolveAws("c", { ...options, components, apiHealthCheck: "tcp" }).aws.apiHealthCheck, "tcp");
    });

    it("is as frequent as AWS allows, and empties what only HTTPS has", () => {
        const { path, matcher, ...tcp } = apiHealthCheck("tcp");
        assert.deepEqual([path, matcher], ["", ""]);
        const https = apiHealthCheck("https");
        assert.deepEqual(https, { ...tcp, protocol: "HTTPS", path: "/readyz", matcher: "200" });
    });
});
