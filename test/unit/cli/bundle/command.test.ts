import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import https from "node:https";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { stringify } from "yaml";
import { filePath } from "../../../../cli/bundle/about";
import { publishedCniPlugins, publishedKubelet } from "../../../../cluster/downloads";
import { versions } from "../../../../versions";
import { FakeSites, shaOf } from "./fake-sites";

const program = resolve(__dirname, "../../../../dev/tradewind.cjs");
const layers = /\/blobs\//;

describe("tradewind bundle", function () {
    this.timeout(60_000);
    const sites = new FakeSites();
    const folder = mkdtempSync(join(tmpdir(), "tradewind-bundle-command-"));
    let from: string;
    let started: ChildProcess[];
    before(async () => {
        from = await sites.start();
        const sha256 = (url: string) => shaOf(`file /${filePath(url)}`);
        const config = {
            "tradewind:imageDigests": false,
            "tradewind:downloads": {
                kubelet: { sha256: sha256(publishedKubelet(versions.kubernetes, "amd64")) },
                cniPlugins: { sha256: sha256(publishedCniPlugins("amd64").urls[0]!) },
            },
        };
        writeFileSync(join(folder, "Pulumi.site.yaml"), stringify({ config }));
    });
    after(() => {
        sites.stop();
        rmSync(folder, { recursive: true });
    });
    beforeEach(() => {
        started = [];
        sites.requests.length = 0;
        sites.stalls = undefined;
    });
    afterEach(() => {
        for (const child of started) child.kill("SIGKILL");
    });

    /** @param limit - of the size of files that it may write. Unit: blocks of 1 KiB */
    const start = (args: readonly string[], limit = "unlimited") => {
        const child = spawn("bash", ["-c", `ulimit -f ${limit}; exec "$@"`, "bash", program, "bundle", ...args], {
            cwd: folder,
            env: { ...process.env, TRADEWIND_STATE: "/none", INIT_CWD: folder },
        });
        started.push(child);
        const output = { text: "" };
        for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output.text += chunk));
        return { child, output };
    };
    const ended = async (args: readonly string[], limit?: string) => {
        const { child, output } = start(args, limit);
        const [code] = await once(child, "close");
        return { code, text: output.text };
    };
    const making = (file: string) => ["--output", file, "--from", from, "Pulumi.site.yaml"];
    const digestIn = (text: string) => /^sha256:[0-9a-f]{64}$/m.exec(text)?.[0];
    const meets = async (what: string, check: () => boolean) => {
        for (const deadline = Date.now() + 30_000; !check(); await new Promise((done) => setTimeout(done, 20))) {
            assert(Date.now() < deadline, `${what}: not within 30 s`);
        }
    };
    const size = (file: string) => (existsSync(join(folder, file)) ? statSync(join(folder, file)).size : 0);

    it("is resumed after it was killed, and never leaves an incomplete file under the bundle's name", async () => {
        const { code, text } = await ended(making("whole.tar"));
        assert.equal(code, 0, text);
        const all = sites.requests.filter((each) => layers.test(each)).length;
        sites.requests.length = 0;
        // The last file of the bundle.
        sites.stalls = "cni-plugins";
        const { child } = start(making("killed.tar"));
        await meets("most of the bundle", () => sites.requests.some((each) => each.includes("cni-plugins")));
        const other = await ended(making("killed.tar"));
        assert.match(other.text, /error: process \d+ is writing \S+\/killed\.tar\.partial: wait for it, or remove /);
        assert.equal(other.code, 1);
        child.kill("SIGKILL");
        await once(child, "close");
        assert(!existsSync(join(folder, "killed.tar")));
        assert(size("killed.tar.partial") > 100_000);
        sites.stalls = undefined;
        sites.requests.length = 0;
        const again = await ended(making("killed.tar"));
        assert.match(again.text, /^resuming after 0\.\d MB of an earlier run$/m);
        assert.equal(digestIn(again.text), digestIn(text));
        assert(readFileSync(join(folder, "killed.tar")).equals(readFileSync(join(folder, "whole.tar"))));
        const left = readdirSync(folder).filter((name) => name.startsWith("killed.tar"));
        assert.deepEqual(left, ["killed.tar"]);
        assert(all > 10);
        assert.deepEqual(
            sites.requests.filter((each) => layers.test(each)),
            [],
        );
    });

    it("says on a full disk what to do, and goes on when there is space", async () => {
        const { code, text } = await ended(making("full.tar"), "64");
        assert.equal(code, 1);
        assert.match(
            text,
            /error: the disk of \S+\/full\.tar\.partial is full \(EFBIG\): free space and run the same command again, which resumes; or remove the file$/m,
        );
        assert(!existsSync(join(folder, "full.tar")));
        assert.equal((await ended(making("full.tar"))).code, 0);
    });

    it("keeps an existing bundle until the new one is complete", async () => {
        assert.equal((await ended(making("kept.tar"))).code, 0);
        const before = readFileSync(join(folder, "kept.tar"));
        const more = [...making("kept.tar"), "--image", "registry.example/app:v1"];
        sites.replaced.set("/v2/app/manifests/v1", undefined);
        const { code, text } = await ended(more);
        assert.equal(code, 1);
        assert.match(text, /error: cannot read registry\.example\/app:v1: .* answers 404/);
        assert(readFileSync(join(folder, "kept.tar")).equals(before));
        sites.replaced.clear();
        assert.equal((await ended(more)).code, 0);
        assert(!readFileSync(join(folder, "kept.tar")).equals(before));
    });

    it("verifies a bundle, also against its digest", async () => {
        const digest = digestIn((await ended(making("v.tar"))).text)!;
        const { code, text } = await ended(["--verify", "v.tar", "--digest", digest]);
        assert.deepEqual([code, text.includes(`v.tar is complete: `), digestIn(text)], [0, true, digest]);
        const other = await ended(["--verify", "v.tar", "--digest", `sha256:${"0".repeat(64)}`]);
        assert.equal(other.code, 1);
        assert.match(
            other.text,
            /v\.tar must be a complete bundle: its digest must be sha256:0{64} \(got sha256:\w{64}\)/,
        );
        const bytes = readFileSync(join(folder, "v.tar"));
        bytes[bytes.indexOf("file /files/github.com")]! ^= 1;
        writeFileSync(join(folder, "v.tar"), bytes);
        for (const option of ["--verify", "--serve"]) {
            const { code, text } = await ended([option, "v.tar"]);
            assert.equal(code, 1);
            assert.match(
                text,
                /error: \S+\/v\.tar must be a complete bundle: files\/github\.com\/\S+ must have SHA-256/,
            );
        }
    });

    it("serves a bundle over HTTPS until it is stopped", async () => {
        await ended(making("s.tar"));
        const subject = ["-subj", "/CN=bundle", "-addext", "subjectAltName=IP:127.0.0.1"];
        const kind = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
        execFileSync("openssl", [...kind, ...subject, "-keyout", "key.pem", "-out", "crt.pem"], {
            cwd: folder,
            stdio: "pipe",
        });
        const pair = ["--tls-certificate", "crt.pem", "--tls-key", "key.pem"];
        const { child, output } = start(["--serve", "s.tar", "--listen", "127.0.0.1:0", ...pair]);
        await meets("its address", () => output.text.includes("cniPlugins:"));
        const url = /serving (https:\S+);/.exec(output.text)![1]!;
        const status = await new Promise((done, reject) => {
            const ca = readFileSync(join(folder, "crt.pem"));
            https
                .get(
                    `${url}/v2/pause/manifests/${versions.pause}?ns=registry.k8s.io`,
                    { ca, agent: false },
                    ({ statusCode }) => done(statusCode),
                )
                .on("error", reject);
        });
        assert.equal(status, 200);
        const refuses = async (message: RegExp, ...args: string[]) => {
            const { code, text } = await ended(["--serve", "s.tar", ...args]);
            assert.equal(code, 2);
            assert.match(text, message);
        };
        const { host } = new URL(url);
        await refuses(/--listen must be a free address of this machine \(got 127\.0\.0\.1:\d+\): /, "--listen", host);
        const other = ["--tls-certificate", "crt.pem", "--tls-key", "s.tar"];
        await refuses(/--tls-key must be the key of \S+crt\.pem in PEM form \(got \S+s\.tar\): /, ...other);
        const none = ["--tls-certificate", "none.pem", "--tls-key", "key.pem"];
        await refuses(/--tls-certificate must be a readable file \(got \S+none\.pem\): /, ...none);
        const noPem = ["--tls-certificate", "s.tar", "--tls-key", "key.pem"];
        await refuses(/--tls-certificate must be a certificate in PEM form \(got \S+s\.tar\): /, ...noPem);
        child.kill("SIGTERM");
        assert.deepEqual(await once(child, "close"), [0, null]);
    });

    it("refuses an invalid command line", async () => {
        for (const [args, message] of [
            [[], "one of --output, --verify and --serve is required; see tradewind bundle --help"],
            [["Pulumi.site.yaml"], "FILE requires --output"],
            [["--output", "x", "a", "b"], "unexpected argument b; see tradewind bundle --help"],
            [["--output", "x", "--serve", "y"], "--output and --serve are mutually exclusive"],
            [["--verify", "x", "--kubernetes", "1.37.1"], "--kubernetes requires --output"],
            [["--output", "x", "--architecture", "s390x"], "--architecture must be amd64 or arm64 (got s390x)"],
            [["--output", "x", "--image", "nginx"], /--image must be a full image name .* \(got nginx\)/],
            [
                ["--serve", "x", "--listen", "host"],
                "--listen must be an address and a port, such as 10.0.0.5:5000 (got host)",
            ],
            [
                ["--serve", "x", "--serve", "y", "--digest", `sha256:${"0".repeat(64)}`],
                "--digest requires a single --serve",
            ],
            [["--output", "x", "--digest", `sha256:${"0".repeat(64)}`], "--digest and --output are mutually exclusive"],
            [
                ["--output", "x", "--from", "https://ann@example"],
                /^error: --from must be an http:\/\/ or https:\/\/ URL without credentials, /,
            ],
            [["--serve", "x", "--tls-key", "k"], "--tls-key requires --tls-certificate"],
            [[...making("x"), "--kubernetes", "1.33.1"], /--kubernetes must be a release of .* \(got 1\.33\.1\)$/],
            [[...making("x"), "--kubernetes", "1.36.99"], /^ {2}curl -fsSL https:.*kubelet\.sha256$/],
            [["--output", "x", "none.yaml"], /FILE must be a readable file \(got \S+none\.yaml\)/],
        ] as const) {
            const { code, text } = await ended(args);
            const error = text.trimEnd().split("\n").at(-1)!;
            if (typeof message === "string") assert.equal(error, `error: ${message}`);
            else assert.match(error, message);
            assert.equal(code, 2);
        }
    });

    it("says which file cannot be written", async () => {
        const { code, text } = await ended(making("none/x.tar"));
        assert.equal(code, 1);
        assert.match(text, /error: cannot write \S+\/none\/x\.tar\.partial\.lock: ENOENT/);
    });
});
