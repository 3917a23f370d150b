import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { sign } from "aws4";
import { cloudInitUserData, configHash } from "../../components/aws/machines/user-data";

const key = "nodes/a/c-a-0.yaml";
const diskKey = "nodes/a/c-a-0-etcd";
const [bucket, region] = ["c-configs-1a2b3c4", "eu-central-1"];
const credentials = { accessKeyId: "ASIATEST", secretAccessKey: "a/secret+key", sessionToken: "Session/Token+==" };
const config = `#cloud-config\nhostname: c-a-0\n# ${"x".repeat(100_000)}\n`;

const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

describe("the script that downloads the config of an instance with cloud-init, using curl", function () {
    this.timeout(60_000);
    let metadata: Server;
    let s3: Server;
    let objects: Record<string, string>;
    let folder: string;
    /** Requests to the metadata service: method and path. */
    let asked: string[];

    const answer = (request: IncomingMessage): string | undefined => {
        asked.push(`${request.method} ${request.url}`);
        if (request.url === "/latest/api/token") {
            return request.method === "PUT" && request.headers["x-aws-ec2-metadata-token-ttl-seconds"]
                ? "token-1"
                : undefined;
        }
        if (request.headers["x-aws-ec2-metadata-token"] !== "token-1") return undefined;
        const roles = "/latest/meta-data/iam/security-credentials/";
        if (request.url === roles) return "c-a-1a2b3c4";
        if (request.url !== `${roles}c-a-1a2b3c4`) return undefined;
        const { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: Token } = credentials;
        const fields = { Code: "Success", AccessKeyId, SecretAccessKey, Token };
        return JSON.stringify(fields, undefined, 2).replaceAll('": "', '" : "');
    };
    /** The expected authorization of a request, from another implementation of AWS' signatures. */
    const authorizationOf = ({ method, url, headers }: IncomingMessage) => {
        const { host, "x-amz-date": date, "x-amz-content-sha256": body } = headers;
        const signed = { Host: host, "X-Amz-Date": date as string, "X-Amz-Content-Sha256": body as string };
        const request = { service: "s3", region, method, path: url, headers: signed };
        return sign(request, credentials).headers!.Authorization;
    };
    before(async () => {
        metadata = createServer((request, response) => {
            const text = answer(request);
            response.writeHead(text === undefined ? 401 : 200).end(text);
        });
        s3 = createServer((request, response) => {
            const isHis =
                request.headers["x-amz-security-token"] === credentials.sessionToken &&
                request.headers.authorization?.replaceAll(/,? +/g, ",") ===
                    String(authorizationOf(request)).replaceAll(/,? +/g, ",");
            const text = objects[request.url!];
            response.writeHead(isHis ? (text === undefined ? 404 : 200) : 403).end(isHis ? text : undefined);
        });
        for (const server of [metadata, s3]) {
            await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
        }
    });
    after(() => {
        for (const server of [metadata, s3]) server.close();
    });
    beforeEach(() => {
        asked = [];
        folder = mkdtempSync(join(tmpdir(), "tradewind-cloud-init-"));
        objects = { [`/${bucket}/${key}`]: config, [`/${bucket}/${diskKey}`]: "/dev/disk/by-id/vol1\n" };
        // cloud-init belongs to the instance: this stub records how it and runcmd are called.
        const stub = `#!/bin/sh\necho "$*" >>${folder}/modules\ncp "$2" ${folder}/given\n`;
        writeFileSync(join(folder, "cloud-init"), stub, { mode: 0o755 });
        writeFileSync(join(folder, "runcmd"), `#!/bin/sh\necho runcmd >>${folder}/modules\n`, { mode: 0o755 });
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    /**
     * Runs the script unchanged, except for the addresses of both services and the folders of cloud-init and the node.
     */
    const run = async (hash: string): Promise<{ code: number | null; output: string }> => {
        const disk = { bucket, key: diskKey, path: join(folder, "etc/etcd-disk"), mode: 0o644 };
        const text = cloudInitUserData({ bucket, key, hash }, [disk], region);
        const places = {
            "http://169.254.169.254": urlOf(metadata),
            "https://$1.s3.$region.amazonaws.com/": `${urlOf(s3)}/$1/`,
            "/var/lib/tradewind": join(folder, "state"),
            "/var/lib/cloud/instance/scripts": folder,
            "--retry 60 --retry-delay 5": "--retry 2 --retry-delay 1",
        };
        const script = Object.entries(places).reduce(
            (all, [from, to]) => {
                assert.ok(all.includes(from), from);
                return all.replaceAll(from, to);
            },
            /<<'END'\n(.*\n)END\n/s.exec(text)![1]!,
        );
        const child = spawn("sh", ["-c", script], { env: { PATH: [folder, process.env.PATH].join(delimiter) } });
        let output = "";
        for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data));
        const code = await new Promise<number | null>((done) => child.once("close", done));
        return { code, output };
    };

    it("downloads it and the files next to it with the instance's role, has it applied, and does nothing once that is done", async () => {
        const { code, output } = await run(configHash(config));
        assert.equal(code, 0, output);
        assert.equal(readFileSync(join(folder, "given"), "utf8"), config);
        const modules = readFileSync(join(folder, "modules"), "utf8").trim().split("\n");
        assert.deepEqual(
            modules.map((line) => /--name (\S+) --frequency always$/.exec(line)?.[1] ?? line),
            ["set_hostname", "bootcmd", "users_groups", "write_files", "write_files_deferred", "runcmd", "runcmd"],
        );
        assert.equal(readFileSync(join(folder, "etc/etcd-disk"), "utf8"), "/dev/disk/by-id/vol1\n");
        assert.equal(statSync(join(folder, "etc/etcd-disk")).mode & 0o777, 0o644);
        assert.ok(!existsSync(join(folder, "state/cloud-config/config.yaml")), "the config with its token stays");

        asked = [];
        assert.equal((await run(configHash(config))).code, 0);
        assert.deepEqual(asked, []);
    });

    it("rejects content with another hash, and retries at the next boot", async () => {
        const { code, output } = await run(configHash("another"));
        assert.equal(code, 1);
        assert.match(output, /the config of this node does not have the SHA-512/);
        assert.ok(!existsSync(join(folder, "modules")));
        assert.equal((await run(configHash(config))).code, 0);
    });

    it("fails with an error that contains no key if the role may not read it", async () => {
        delete objects[`/${bucket}/${diskKey}`];
        const { code, output } = await run(configHash(config));
        assert.notEqual(code, 0);
        assert.match(output, /404/);
        assert.doesNotMatch(output, /secret\+key|Session/);
        assert.ok(!existsSync(join(folder, "modules")));
    });
});
