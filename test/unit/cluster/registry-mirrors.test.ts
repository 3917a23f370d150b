import assert from "node:assert/strict";
import { containerd } from "../../../cluster/machines/container-runtime/containerd";
import { requireRegistryCredentials, resolveRegistryMirrors } from "../../../cluster/registry-mirrors";
import { diffable, parse, render } from "../../../ignition";
import { downloads, fixedCluster } from "../components/in-cluster/fixture";

const ca = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
const mirror = { registry: "docker.io", urls: ["https://a.example", "https://b.example/v2/proxy"], ca };

describe("registry mirrors", () => {
    const texts = (registryMirrors: (typeof mirror)[], credentials?: Parameters<typeof containerd>[2]) =>
        diffable(parse(render(containerd(fixedCluster({ registryMirrors }), downloads, credentials))));

    it("are tried in order, with their own CA, before the registry itself", () => {
        const files = texts([mirror]);
        assert.equal(
            files["/etc/containerd/certs.d/docker.io/hosts.toml"],
            `mode 0644
[host."https://a.example"]
  capabilities = ["pull", "resolve"]
  ca = "/etc/containerd/certs.d/docker.io/ca.crt"

[host."https://b.example/v2/proxy"]
  capabilities = ["pull", "resolve"]
  override_path = true
  ca = "/etc/containerd/certs.d/docker.io/ca.crt"
`,
        );
        assert.equal(files["/etc/containerd/certs.d/docker.io/ca.crt"], `mode 0644\n${ca}`);
        assert.match(files["/etc/containerd/certs.d/_default/hosts.toml"]!, /mirror\.example:5000/);
    });

    it("replace the mirror of all images with *", () => {
        const own = texts([{ ...mirror, registry: "*" }])["/etc/containerd/certs.d/_default/hosts.toml"]!;
        assert.match(own, /a\.example/);
        assert.doesNotMatch(own, /mirror\.example/);
    });

    it("get their credentials from a file that only root can read", () => {
        const files = texts([mirror], { "docker.io": { username: "puller", password: "a pass:word" } });
        const toml = files["/etc/containerd/certs.d/docker.io/hosts.toml"]!;
        assert.match(toml, /^mode 0600\n/);
        const header = `authorization = "Basic ${Buffer.from("puller:a pass:word").toString("base64")}"`;
        assert.equal(toml.split(header).length, 3);
    });

    const wrong: [string, object, RegExp][] = [
        ["a registry by URL", { registry: "https://docker.io" }, /registryMirrors\[0\]\.registry must be a host with/],
        ["no URL", { urls: [] }, /registryMirrors\[0\]\.urls must not be empty/],
        ["a host only", { urls: ["a.example"] }, /urls\[0\] must be an http:\/\/ or https:\/\/ URL without/],
        ["a query", { urls: ["https://a.example?x=y"] }, /urls\[0\] must be an http/],
        [
            "a CA without TLS",
            { urls: ["http://a.example"] },
            /ca conflicts with an http:\/\/ URL \(got http:\/\/a\.example\)/,
        ],
        ["a path as CA", { ca: "/etc/ca.crt" }, /registryMirrors\[0\]\.ca must be certificates in PEM form/],
    ];
    for (const [what, change, message] of wrong) {
        it(`refuse ${what}`, () => assert.throws(() => resolveRegistryMirrors([{ ...mirror, ...change }]), message));
    }

    it("refuse two entries of a registry", () => {
        assert.throws(() => resolveRegistryMirrors([mirror, mirror]), /\[1\]\.registry must not be listed twice/);
    });

    it("do not print a password", () => {
        const url = "https://puller:hush@a.example";
        const isQuiet = ({ message }: Error) => /must be/.test(message) && !message.includes("hush");
        assert.throws(() => resolveRegistryMirrors([{ ...mirror, urls: [url] }]), isQuiet);
        const login = { username: "puller", password: "hush\nhush" };
        assert.throws(() => requireRegistryCredentials([mirror], { "docker.io": login }), isQuiet);
        assert.throws(() => requireRegistryCredentials([], { "docker.io": login }), isQuiet);
    });

    it("refuse credentials without an entry, or that would be sent without TLS", () => {
        const login = { username: "puller", password: "hush" };
        assert.throws(() => requireRegistryCredentials([mirror], { "quay.io": login }), /got quay\.io/);
        const plain = [{ registry: "docker.io", urls: ["http://a.example"] }];
        assert.throws(
            () => requireRegistryCredentials(plain, { "docker.io": login }),
            /conflicts with an http:\/\/ URL of its mirror/,
        );
    });
});
