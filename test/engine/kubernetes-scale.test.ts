import assert from "node:assert/strict";
import * as k8s from "@pulumi/kubernetes";
import type { ApiServer } from "./apiserver";
import { preview, up } from "./kubernetes-fixture/run";
import { shared } from "./kubernetes-fixture/shared";
import type { Engine } from "./kubernetes-fixture/stack";

const OBJECTS = 60;

describe("the kubernetes stand-in with many objects", function () {
    this.timeout(120_000);
    let api: ApiServer;
    let engine: Engine;

    before(async () => {
        [api, engine] = await shared();
    });

    const program = (text: string) => async () => {
        const args = { kubeconfig: api.kubeconfig, clusterIdentifier: "test", enableConfigMapMutable: true };
        const provider = new k8s.Provider("cluster", args);
        for (let i = 0; i < OBJECTS; i++) {
            const data = { text: i === 0 ? text : "same" };
            new k8s.core.v1.ConfigMap(`map-${i}`, { metadata: { name: `map-${i}` }, data }, { provider });
        }
    };

    // Requests for ConfigMaps by verb, and how many of them were dry runs.
    const requests = async () => {
        const metrics = String(await api.http.send({ method: "GET", path: "/metrics" }));
        const lines = metrics
            .split("\n")
            .filter((line) => /^apiserver_request_total\{.*resource="configmaps"/.test(line));
        const sum = (pattern: RegExp) =>
            lines.filter((line) => pattern.test(line)).reduce((all, line) => all + Number(line.split(" ").at(-1)), 0);
        return { written: sum(/verb="(POST|APPLY|PATCH)"/), dryRuns: sum(/dry_run="All"/) };
    };

    it("only sends requests for what changes", async () => {
        const stack = await engine.stack(program("one"));
        const atFirst = await requests();
        await up(stack, program("one"));
        const created = await requests();
        assert.equal(created.written - atFirst.written, OBJECTS);
        assert.deepEqual((await preview(stack, program("one"))).changes, {});
        assert.deepEqual(await requests(), created);
        assert.deepEqual((await preview(stack, program("two"))).changes, { update: 1 });
        assert.equal((await requests()).dryRuns - created.dryRuns, 1);
    });
});
