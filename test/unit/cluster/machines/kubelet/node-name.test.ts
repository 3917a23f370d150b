import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { nodeName } from "../../../../../cluster/machines/kubelet/node-name";
import { paths } from "../../../../../cluster/paths";
import { diffable } from "../../../../../ignition";
import { assertShell } from "../../../components/in-cluster/shell";

const script = diffable(nodeName())[`${paths.bin}/node-name`]!.replace(/^mode.*\n/, "");
const short = "i-0123456789abcdef0";
const long = `${short}.eu-central-1.compute.internal`;

describe("the name of a node that its cloud named", () => {
    let folder: string;
    const at = (name: string) => join(folder, name);
    const program = (name: string, text: string) => writeFileSync(at(name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    /** The name that it prints, on a machine whose OS has these host names one after another. */
    const nameOf = (...hostNames: readonly string[]) => {
        writeFileSync(at("names"), `${hostNames.join("\n")}\n`);
        program("uname", `head -n 1 ${at("names")}; [ "$(wc -l <${at("names")})" = 1 ] || sed -i 1d ${at("names")}`);
        program("sleep", "");
        const own = script
            .replaceAll(paths.kubeletClient, at("client.pem"))
            .replaceAll(paths.nodeName, at("state/node-name"));
        const env = { PATH: [folder, process.env.PATH].join(delimiter) };
        return execFileSync("sh", ["-c", own], { env, encoding: "utf8" });
    };
    /** A kubelet's certificate and key, in one file. */
    const certify = (name: string, ...key: readonly string[]) => {
        const subject = ["-subj", `/O=system:nodes/CN=system:node:${name}`];
        const files = ["-keyout", at("key"), "-out", at("cert")];
        const made = spawnSync("openssl", ["req", "-x509", "-nodes", ...key, ...subject, ...files]);
        assert.equal(made.status, 0, String(made.stderr));
        writeFileSync(at("client.pem"), readFileSync(at("cert"), "utf8") + readFileSync(at("key"), "utf8"));
    };
    const p256 = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"];

    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "node-name-"));
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    it("is printed by a script that a shell can read", () => assertShell(script));

    it("is the host name until the kubelet joins, once the cloud has set it, in lower case", () => {
        assert.equal(nameOf("localhost", "localhost", "I-0abc.Example"), "i-0abc.example\n");
        assert.ok(!existsSync(at("state")), "a name that the API may refuse is not kept");
    });

    for (const [kind, key] of [
        ["P-256", p256],
        ["P-384", ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-384"]],
        ["RSA", ["-newkey", "rsa:2048"]],
    ] as const) {
        it(`is that in the kubelet's certificate from then on, with ${kind}, however the OS spells it`, () => {
            for (const [name, other] of [
                [short, long],
                [long, short],
                ["a0", "b"],
            ] as const) {
                certify(name, ...key);
                assert.equal(nameOf(other), `${name}\n`);
                rmSync(at("state"), { recursive: true });
            }
        });
    }

    it("stays without the certificate, and is written at once or not at all", () => {
        certify(long, ...p256);
        assert.equal(nameOf(short), `${long}\n`);
        assert.deepEqual(readdirSync(at("state")), ["node-name"]);
        rmSync(at("client.pem"));
        assert.equal(nameOf(short), `${long}\n`);
        // What a power cut may leave.
        certify(long, ...p256);
        writeFileSync(at("state/node-name"), "");
        assert.equal(nameOf(short), `${long}\n`);
    });
});
