import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { decide, type Sample, type Verdict } from "../../../agents/upgrade-guard/decide";
import { Measurements } from "../../../agents/upgrade-guard/measure";
import { ensure } from "../../../artifacts";
import { programPath } from "../../../artifacts/programs";
import { type Fault, faultyImages } from "../../../artifacts/test-recipes";
import { ApiClient } from "../../../clients/kubernetes/api-client";
import { freePort } from "../../free-port";
import { describeLong } from "../../takes-long";
import { ApiLoad } from "../api-load";
import { eventually, readText } from "../cluster";

const path = "/api/v1/namespaces/default/configmaps";
/** Of something that the server itself does not watch. */
const watch = "/api/v1/namespaces/default/podtemplates?watch=true";

/** The faulty builds by themselves, on this machine: what the guard's tests on clusters rely on. */
describeLong("a kube-apiserver built with a fault", function () {
    this.timeout(300_000);
    const folder = mkdtempSync(join(tmpdir(), "tradewind-faulty-"));
    const started: ChildProcess[] = [];
    let etcd: string;
    let port: number;

    const run = (program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) => {
        const child = spawn(programPath(program), args, { env: { ...process.env, ...env }, stdio: "ignore" });
        started.push(child);
        return child;
    };
    const ask = (method: string, path: string, body?: object): Promise<IncomingMessage> =>
        new Promise((resolve, reject) => {
            const headers = { authorization: "Bearer token", "content-type": "application/json" };
            const at = { host: "127.0.0.1", port, path, method, headers, rejectUnauthorized: false, agent: false };
            request(at, resolve)
                .on("error", reject)
                .end(body && JSON.stringify(body));
        });
    const answer = async (method: string, path: string, body?: object) => {
        const began = performance.now();
        const response = await ask(method, path, body);
        const said = await text(response);
        return { status: response.statusCode, said, milliseconds: performance.now() - began };
    };
    const write = (name: string) => answer("POST", path, { metadata: { name } });
    const watches = async () => {
        const { said } = await answer("GET", "/metrics");
        const metric =
            /^apiserver_longrunning_requests\{.*resource="podtemplates",scope="namespace".*verb="WATCH".*\} (\d+)$/m;
        return Number(metric.exec(said)?.[1] ?? 0);
    };
    const serves = async (fault: Fault, after = "0s") => {
        port = await freePort();
        const key = join(folder, "key.pem");
        const child = run(
            "faulty-apiserver",
            [
                `--etcd-servers=${etcd}`,
                `--secure-port=${port}`,
                "--bind-address=127.0.0.1",
                `--cert-dir=${folder}`,
                `--service-account-key-file=${key}`,
                `--service-account-signing-key-file=${key}`,
                "--service-account-issuer=https://issuer.example",
                `--token-auth-file=${join(folder, "tokens")}`,
                "--authorization-mode=RBAC",
                "--service-cluster-ip-range=10.0.0.0/24",
            ],
            { FAULT: fault, FAULT_AFTER: after },
        );
        await eventually(`a kube-apiserver with ${fault}`, async () => {
            assert.equal(child.exitCode, null, "it ended");
            assert.equal((await answer("GET", "/readyz")).said, "ok");
        });
    };
    const ends = async (child: ChildProcess | undefined) => {
        if (child === undefined || child.exitCode !== null) return;
        child.kill();
        await once(child, "exit");
    };

    before(async function () {
        this.timeout(1_800_000);
        await ensure({ only: [faultyImages], say: () => {} });
        const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
        writeFileSync(join(folder, "key.pem"), privateKey.export({ type: "pkcs1", format: "pem" }));
        writeFileSync(join(folder, "tokens"), "token,admin,1,system:masters\n");
        etcd = `http://127.0.0.1:${await freePort()}`;
        const peers = `http://127.0.0.1:${await freePort()}`;
        const urls = [`--listen-client-urls=${etcd}`, `--advertise-client-urls=${etcd}`, `--listen-peer-urls=${peers}`];
        run("etcd", [`--data-dir=${join(folder, "etcd")}`, ...urls]);
    });
    afterEach(() => ends(started.splice(1).at(-1)));
    after(async () => {
        await ends(started[0]);
        rmSync(folder, { recursive: true, force: true });
    });

    it("becomes ready, and takes more than a second for each request if it is slow", async () => {
        await serves("slow");
        const [read, written] = [await answer("GET", path), await write("slow")];
        assert.deepEqual([read.status, written.status], [200, 201]);
        for (const { milliseconds } of [read, written]) assert.ok(milliseconds > 1_400, `${milliseconds} ms`);
    });

    it("refuses writes only, and counts them", async () => {
        for (const [fault, status] of [
            ["refuse-writes", 503],
            ["forbid-writes", 403],
        ] as const) {
            await serves(fault);
            assert.equal((await write(fault)).status, status);
            assert.equal((await answer("GET", path)).status, 200);
            const { said } = await answer("GET", "/metrics");
            assert.match(
                said,
                new RegExp(`^apiserver_request_total{code="${status}".*resource="configmaps".* 1$`, "m"),
            );
            await ends(started.splice(1).at(-1));
        }
    });

    it("keeps watches open whose clients have gone", async () => {
        await serves("leak-watches");
        for (let count = 0; count < 10; count++) (await ask("GET", watch)).destroy();
        // Those of a healthy server have ended by then.
        await eventually("watches that stay", async () => assert.equal(await watches(), 10));
        assert.equal((await write("leak-watches")).status, 201);
        assert.equal(await watches(), 10);
    });

    it("is healthy until its fault begins", async () => {
        await serves("leak-watches", "1h");
        for (let count = 0; count < 10; count++) (await ask("GET", watch)).destroy();
        await eventually("watches that end", async () => assert.equal(await watches(), 0));
    });

    describe("is judged by the upgrade guard", () => {
        const measurements = new Measurements(
            { call: (path, call) => new ApiClient(`https://127.0.0.1:${port}`, trusted, "guard").call(path, call) },
            "node",
            { read: async () => ({}) },
            () => performance.now(),
        );
        const trusted = () => ({
            ca: readText(join(folder, "apiserver.crt")),
            token: "token",
            servername: "kubernetes",
        });
        /** Measures under load until something got worse, or for a time. */
        const judged = async (
            seconds: number,
            before: readonly Sample[] = [],
        ): Promise<[Verdict, Sample[], number]> => {
            const load = new ApiLoad({ host: "127.0.0.1", port, path, ...trusted(), identity: trusted() });
            const [began, since]: [number, Sample[]] = [performance.now(), []];
            try {
                for (;;) {
                    since.push(await measurements.take());
                    const verdict = decide(before, since);
                    const passed = (performance.now() - began) / 1000;
                    if (verdict.breach || passed > seconds) return [verdict, since, passed];
                    await sleep(1_500);
                }
            } finally {
                await load.stop();
            }
        };

        for (const [fault, after, what] of [
            ["slow", "0s", /^(p99 of|the guard's) (reads|writes)$/],
            ["leak-watches", "0s", /^open watches$/],
            ["refuse-writes", "0s", /^(failed requests|the guard's writes that failed)$/],
            ["forbid-writes", "0s", /^the guard's writes that failed$/],
            ["slow", "1h", undefined],
        ] as const) {
            it(what ? `within 45 seconds: ${fault}` : "as well before the fault begins", async () => {
                await serves("slow", "1h");
                const [, before] = await judged(40);
                await ends(started.splice(1).at(-1));
                await serves(fault, after);
                const [{ breach }, , seconds] = await judged(what ? 45 : 60, before.slice(-12));
                if (what === undefined) return assert.equal(breach, undefined);
                assert.match(breach?.what ?? "nothing", what);
                console.log(
                    `      ${breach!.what}: ${breach!.after} (limit ${breach!.limit}) after ${seconds.toFixed(0)} s`,
                );
            });
        }
    });
});
