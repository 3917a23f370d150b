import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import { connectionOf } from "../../../../clients/kubernetes/kubeconfig";

const base64 = (text: string) => Buffer.from(text).toString("base64");
const config = {
    clusters: [
        { name: "one", cluster: { server: "https://one:6443/", "certificate-authority-data": base64("ca") } },
        { name: "two", cluster: { server: "https://two:6443", "insecure-skip-tls-verify": true } },
    ],
    users: [
        { name: "admin", user: { "client-certificate-data": base64("crt"), "client-key-data": base64("key") } },
        { name: "robot", user: { token: "secret" } },
        { name: "cloud", user: { exec: { command: "aws" } } },
    ],
    contexts: [
        { name: "main", context: { cluster: "one", user: "admin" } },
        { name: "side", context: { cluster: "two", user: "robot", namespace: "apps" } },
        { name: "cloud", context: { cluster: "one", user: "cloud" } },
    ],
    "current-context": "main",
};

describe("a kubeconfig", () => {
    it("connects with a client certificate, using the current context", () => {
        for (const text of [stringify(config), JSON.stringify(config)]) {
            const connection = connectionOf(text, {});
            assert.equal(connection.server, "https://one:6443");
            assert.deepEqual([connection.ca, connection.certificate, connection.key].map(String), ["ca", "crt", "key"]);
            assert.equal(connection.namespace, "default");
        }
    });

    it("connects with a token to the cluster of another context", () => {
        const connection = connectionOf(JSON.stringify(config), { context: "side" });
        assert.equal(connection.server, "https://two:6443");
        assert.equal(connection.token, "secret");
        assert.equal(connection.namespace, "apps");
        assert.equal(connection.isInsecure, true);
    });

    it("is read from a path, with relative file references", () => {
        const folder = mkdtempSync(join(tmpdir(), "kubeconfig-"));
        try {
            const cluster = { server: "https://one:6443", "certificate-authority": "ca.crt" };
            writeFileSync(join(folder, "ca.crt"), "from a file");
            writeFileSync(join(folder, "config"), stringify({ ...config, clusters: [{ name: "one", cluster }] }));
            assert.equal(String(connectionOf(join(folder, "config"), {}).ca), "from a file");
        } finally {
            rmSync(folder, { recursive: true });
        }
    });

    it("is never quoted in an error", () => {
        assert.throws(() => connectionOf('users:\n- user: { token: hunter2, a: "b" "c" }\n', {}), {
            message: "kubeconfig must be valid YAML: Unexpected double-quoted-scalar at node end at line 2, column 34",
        });
    });

    it("must have an https:// URL as its server", () => {
        for (const server of ["http://one:6443", "one:6443", "https://", 6443]) {
            const text = JSON.stringify({ ...config, clusters: [{ name: "one", cluster: { server } }] });
            const message = `kubeconfig must have a server that is an https:// URL (got ${server})`;
            assert.throws(() => connectionOf(text, {}), { message });
        }
    });

    it("may have YAML merge keys", () => {
        const text = `clusters: [{ name: one, cluster: { server: "https://one:6443" } }]
shared: &shared { token: secret }
users: [{ name: robot, user: { <<: *shared } }]
contexts: [{ name: main, context: { cluster: one, user: robot } }]
current-context: main
`;
        assert.equal(connectionOf(text, {}).token, "secret");
    });

    const proxied = { server: "https://one:6443", "proxy-url": "socks5://user:hush@p:1080" };
    const faults: [string, string, object, RegExp][] = [
        ["a missing file", "/nowhere/config", {}, /kubeconfig must be its contents or a file \(got \/nowhere/],
        [
            "a proxy",
            JSON.stringify({ ...config, clusters: [{ name: "one", cluster: proxied }] }),
            {},
            /must have no proxy-url, which is unsupported \(got socks5:\/\/\.\.\.@p:1080\)/,
        ],
        [
            "a missing context",
            JSON.stringify(config),
            { context: "none" },
            /must be one of main, side, cloud \(got none\)$/,
        ],
        ["a command to run", JSON.stringify(config), { context: "cloud" }, /exec and auth-provider are unsupported/],
        [
            "a token that no header can have",
            JSON.stringify({ ...config, users: [{ name: "robot", user: { token: "a\nb" } }] }),
            { context: "side" },
            /^Error: kubeconfig must have a token of printable ASCII without spaces$/,
        ],
        ["something other than an object", "a\nb", {}, /kubeconfig must be a YAML or JSON object/],
    ];
    for (const [what, text, choice, error] of faults) {
        it(`is rejected if it names ${what}`, () => assert.throws(() => connectionOf(text, choice), error));
    }
});
