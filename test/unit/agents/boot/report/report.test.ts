import assert from "node:assert/strict";
import { assetsHash, type ReportedProgress } from "../../../../../agents/boot/receiver/assets";
import type { ReportPlan } from "../../../../../agents/boot/report/plan";
import { report } from "../../../../../agents/boot/report/report";
import { ApiClient } from "../../../../../clients/kubernetes/api-client";
import { probe } from "../../../../../clients/probe";
import { Authority } from "../receiver/authority";
import { Host } from "./scene";

const name = "bootstrap.c.example";
const assets = (text: string) => ({
    entries: [{ path: "/opt/manifests/next", contents: Buffer.from(text).toString("base64") }],
    units: ["bootstrap.service"],
});

describe("the bootstrap reporter", function () {
    this.timeout(20_000);
    const own = "127.0.0.2";
    const reported: ReportedProgress = {
        stage: "step wait-for-api is not done",
        lastLines: "--- kubelet.service: active",
    };
    let authority: Authority;
    let host: Host;
    let rounds: number;
    let running: Promise<string>;

    const progress = async (_: ReportPlan) => {
        rounds++;
        return reported;
    };
    const start = () => {
        running = report(host.plan, { addresses: () => [own], progress });
        running.catch(() => undefined);
    };
    const url = () => `https://${own}:${host.plan.port}`;
    const listening = async () => {
        for (let tries = 0; (await probe(`${url()}/readyz`)) !== undefined; tries++) {
            assert.ok(tries < 100, "it must listen");
            await new Promise((resolve) => setTimeout(resolve, 100));
        }
    };
    const clientOf = (group: string) =>
        new ApiClient(url(), () => ({ ca: authority.ca, ...authority.client(group), servername: name }));
    const bring = (text: string) =>
        clientOf("system:masters").call("/assets", { method: "POST", body: assets(text), isFresh: true });

    before(() => {
        authority = new Authority();
    });
    after(() => authority.remove());
    beforeEach(async () => {
        rounds = 0;
        host = await Host.create();
        const { cert, key } = authority.server(name);
        for (const [path, text] of Object.entries({ "/ca.crt": authority.ca, "/tls.crt": cert, "/tls.key": key })) {
            host.write(path, text);
        }
        host.write("/state/assets.sha256", assetsHash(assets("first")));
        host.write("/opt/manifests/first", "first");
    });
    afterEach(() => host.remove());

    it("answers only administrators, does not read the journals twice a second, and ends at the pivot without its key", async () => {
        start();
        await listening();
        const client = clientOf("system:masters");
        const asked = await Promise.all([1, 2].map(() => client.call("/standing", { isFresh: true })));
        assert.deepEqual([asked, rounds], [[reported, reported], 1]);
        await assert.rejects(() => clientOf("system:nodes").call("/standing", { isFresh: true }), /403/);
        host.write("/state/pivoted", "");
        assert.match(await running, /^the control plane is self-hosted/);
        assert.equal(host.has("/tls.key"), false);
        assert.match((await probe(`${url()}/readyz`))!, /refuses connections/);
    });

    it("keeps its assets if the same ones are uploaded", async () => {
        start();
        await listening();
        await bring("first");
        assert.equal(host.read("/opt/manifests/first"), "first");
        host.write("/state/pivoted", "");
        assert.match(await running, /^the control plane is self-hosted/);
    });

    it("replaces them with others, and ends so that their units are started", async () => {
        start();
        await listening();
        await bring("mended");
        assert.equal(await running, "other assets were unpacked");
        assert.deepEqual([host.read("/opt/manifests/next"), host.has("/opt/manifests/first")], ["mended", false]);
        assert.equal(host.read("/state/unpacked"), "bootstrap.service\n");
        assert.ok(host.has("/state/assets-replaced") && host.has("/tls.key"));
        assert.equal(host.read("/state/assets.sha256"), assetsHash(assets("mended")));
        // Killed before the units were started.
        start();
        assert.equal(await running, "other assets were unpacked");
    });
});
