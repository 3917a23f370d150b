import assert from "node:assert/strict";
import { serveHealth } from "../../../../agents/harness/health";
import { metricsText, timestamp } from "../../../../agents/harness/metrics";
import { freePort } from "../../../free-port";

describe("metrics of an agent", () => {
    it("are in Prometheus' text format, without values that are unknown", async () => {
        const text = await metricsText([
            {
                name: "tradewind_sizes_bytes",
                help: "Sizes.",
                samples: [
                    { labels: { member: 'a "b"\\c' }, value: 1.5 },
                    { labels: { member: "unknown" }, value: undefined },
                ],
            },
            { name: "tradewind_actions_total", help: "Actions.", type: "counter", samples: [{ value: 3 }] },
            { name: "tradewind_is_well", help: "Well.", samples: [{ value: true }] },
            { name: "tradewind_nothing", help: "Nothing.", samples: [{ value: undefined }] },
        ]);
        assert.deepEqual(text.split("\n").filter(Boolean), [
            "# HELP tradewind_sizes_bytes Sizes.",
            "# TYPE tradewind_sizes_bytes gauge",
            'tradewind_sizes_bytes{member="a \\"b\\"\\\\c"} 1.5',
            "# HELP tradewind_actions_total Actions.",
            "# TYPE tradewind_actions_total counter",
            "tradewind_actions_total 3",
            "# HELP tradewind_is_well Well.",
            "# TYPE tradewind_is_well gauge",
            "tradewind_is_well 1",
        ]);
    });

    it("have times in seconds", () => {
        assert.equal(timestamp("1970-01-01T00:01:00Z"), 60);
        assert.equal(timestamp(undefined), undefined);
    });

    it("are served next to the health that the kubelet probes", async () => {
        const port = await freePort();
        const metrics = () => [{ name: "tradewind_is_well", help: "Well.", samples: [{ value: false }] }];
        const server = serveHealth(port, { live: () => undefined, ready: () => "not yet", metrics });
        try {
            const get = async (path: string) => {
                const answer = await fetch(`http://127.0.0.1:${port}${path}`);
                return [answer.status, await answer.text()];
            };
            assert.deepEqual(await get("/livez"), [200, "ok\n"]);
            assert.deepEqual(await get("/readyz"), [503, "not yet\n"]);
            const [status, text] = await get("/metrics");
            assert.equal(status, 200);
            assert.match(String(text), /^tradewind_is_well 0$/m);
        } finally {
            server.close();
        }
    });

    it("that cannot be read are an error of that request, and do not end the agent", async () => {
        const port = await freePort();
        const metrics = () => {
            throw new Error("EIO: i/o error");
        };
        const server = serveHealth(port, { live: () => undefined, ready: () => undefined, metrics });
        try {
            const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
            assert.deepEqual([answer.status, await answer.text()], [500, "EIO: i/o error\n"]);
            assert.equal((await fetch(`http://127.0.0.1:${port}/livez`)).status, 200);
        } finally {
            server.close();
        }
    });
});
