import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { preflightFile, preflightProgram } from "../../../../../agents/boot/preflight";
import type { ReceiverPlan } from "../../../../../agents/boot/receiver/plan";
import { receive } from "../../../../../agents/boot/receiver/receive";
import { ApiClient } from "../../../../../clients/kubernetes/api-client";
import { probe } from "../../../../../clients/probe";
import { freePort } from "../../../../free-port";
import { Authority } from "./authority";

const name = "bootstrap.c.example";
const assets = { entries: [{ path: "/opt/started", contents: "eWVz" }], units: ["bootstrap.service"] };

describe("the receiver of bootstrap assets", function () {
    this.timeout(20_000);
    let authority: Authority;
    let stranger: Authority;
    let root: string;
    let plan: ReceiverPlan;
    let running: Promise<string>;
    let cluster: Server | undefined;

    const url = () => `https://127.0.0.1:${plan.port}`;
    const bring = (by: Authority, group: string, body: unknown = assets) => {
        const client = new ApiClient(url(), () => ({ ca: authority.ca, ...by.client(group), servername: name }));
        return client.call("/assets", { method: "POST", body, isFresh: true });
    };
    const state = (file: string) => join(root, plan.state, file);
    async function listening(): Promise<void> {
        for (let tries = 0; (await probe(`${url()}/readyz`)) !== undefined; tries++) {
            assert.ok(tries < 100, "the receiver must listen");
        }
    }
    async function start(): Promise<void> {
        running = receive(plan);
        running.catch(() => undefined);
        await listening();
    }

    before(() => {
        authority = new Authority();
        stranger = new Authority();
    });
    after(() => {
        authority.remove();
        stranger.remove();
    });
    beforeEach(async () => {
        root = mkdtempSync(join(tmpdir(), "tradewind-receiver-"));
        const { cert, key } = authority.server(name);
        for (const [file, text] of Object.entries({ "ca.crt": authority.ca, "tls.crt": cert, "tls.key": key })) {
            writeFileSync(join(root, file), text);
        }
        plan = {
            // Nothing listens there.
            apiServer: "https://127.0.0.1:1",
            root,
            port: await freePort(),
            ca: "/ca.crt",
            cert: "/tls.crt",
            key: "/tls.key",
            state: "/state",
            staticPods: "/etc/kubernetes/manifests",
            kubeconfig: "/kubeconfig",
        };
    });
    afterEach(() => {
        cluster?.close();
        cluster = undefined;
        rmSync(root, { recursive: true });
    });

    it("looks ready to a load balancer, accepts assets from an administrator, and ends", async () => {
        await start();
        assert.equal((await bring(authority, "system:masters")) as string, "taken\n");
        assert.equal(await running, "the assets are unpacked");
        assert.equal(readFileSync(join(root, "opt/started"), "utf8"), "yes");
        assert.equal(readFileSync(state("unpacked"), "utf8"), "bootstrap.service\n");
        assert.match((await probe(`${url()}/readyz`))!, /refuses connections/);
    });

    it("accepts nothing from others, and nothing that is not assets", async () => {
        await start();
        await assert.rejects(
            () => bring(authority, "system:nodes"),
            /403: a certificate of system:masters is required/,
        );
        await assert.rejects(() => bring(stranger, "system:masters"), /403/);
        await assert.rejects(() => bring(authority, "system:masters", { entries: [] }), /400: the assets must be/);
        const anonymous = new ApiClient(url(), () => ({ ca: authority.ca, servername: name }));
        await assert.rejects(() => anonymous.call("/assets", { method: "POST", body: assets, isFresh: true }), /403/);
        await assert.rejects(
            () => anonymous.call("/api/v1/nodes", { isFresh: true }),
            /404: no API is running here yet/,
        );
        assert.equal(existsSync(state("unpacked")), false);
        await bring(authority, "system:masters");
        await running;
    });

    it("takes nothing while the machine's preflight has errors, which it lists, and then returns its warnings", async () => {
        const findings = join(root, preflightFile);
        for (const path of [preflightProgram, preflightFile]) mkdirSync(join(root, dirname(path)), { recursive: true });
        writeFileSync(join(root, preflightProgram), "");
        running = receive(plan);
        running.catch(() => undefined);
        // Not before the preflight has ended.
        assert.match((await probe(`${url()}/readyz`))!, /refuses connections/);
        writeFileSync(findings, "error Swap: swap must be off\nwarning Hostname: odd\nerror Mem: too little\n");
        await setTimeout(300);
        await listening();
        await assert.rejects(() => bring(authority, "system:masters"), {
            status: 412,
            message: "412: Swap: swap must be off\nMem: too little",
        });
        assert.equal(existsSync(state("unpacked")), false);
        writeFileSync(findings, "warning Hostname: odd\n");
        assert.equal(await bring(authority, "system:masters"), "taken\nwarning Hostname: odd\n");
        assert.equal(await running, "the assets are unpacked");
    });

    it("does nothing after a run that has unpacked", async () => {
        mkdirSync(state(""), { recursive: true });
        writeFileSync(state("unpacked"), "bootstrap.service\n");
        assert.equal(await receive(plan), "the assets were already unpacked");
    });

    it("leaves an existing cluster alone, even one that rejects its requests", async () => {
        const { cert, key } = authority.server("localhost");
        cluster = createServer({ cert, key }, (_, response) => response.writeHead(401).end("{}"));
        await new Promise<void>((resolve) => cluster!.listen(0, "127.0.0.1", resolve));
        const { port } = cluster.address() as AddressInfo;
        assert.match(await receive({ ...plan, apiServer: `https://localhost:${port}` }), /^the cluster exists/);
        assert.ok(existsSync(state("receiver-settled")));
        assert.equal(existsSync(state("unpacked")), false);
    });

    it("stops when the cluster answers again while it waits", async () => {
        const port = await freePort();
        plan = { ...plan, apiServer: `https://localhost:${port}` };
        await start();
        const { cert, key } = authority.server("localhost");
        cluster = createServer({ cert, key }, (_, response) => response.writeHead(200).end("ok"));
        await new Promise<void>((resolve) => cluster!.listen(port, "127.0.0.1", resolve));
        assert.match(await running, /^the cluster exists/);
        assert.ok(existsSync(state("receiver-settled")));
    });

    it("does not mistake a server with another certificate for a cluster", async () => {
        const { cert, key } = stranger.server("localhost");
        cluster = createServer({ cert, key }, (_, response) => response.writeHead(200).end("ok"));
        await new Promise<void>((resolve) => cluster!.listen(0, "127.0.0.1", resolve));
        plan = { ...plan, apiServer: `https://localhost:${(cluster.address() as AddressInfo).port}` };
        await start();
        await bring(authority, "system:masters");
        assert.equal(await running, "the assets are unpacked");
    });
});
