import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { isBefore, startIn, waitForAge } from "../../../../../agents/etcd/certificates/restart";

describe("the start time of a member's process", () => {
    it("is read from its metrics", () => {
        const metrics = "# TYPE process_start_time_seconds gauge\nprocess_start_time_seconds 1.79515e+09\nother 1\n";
        assert.equal(startIn(metrics), 1_795_150_000_000);
        assert.throws(() => startIn("other 1\n"), /have no start time/);
    });

    it("is before a time only by more than its possible error of a second", () => {
        assert.equal(isBefore(10_000, 11_000), false);
        assert.equal(isBefore(10_000, 11_001), true);
    });

    it("is waited for until a file's time is later, though that can be a tick behind the clock", async () => {
        let requests = 0;
        let start = 0;
        const server = createServer((_, response) => {
            // A process that by the clock alone has just become old enough. The first request of all takes long.
            if (++requests <= 2) start = Date.now() - (requests - 1) * 1002;
            response.end(`process_start_time_seconds ${start / 1000}\n`);
        });
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
        const healthUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
        try {
            const patience = { deadline: performance.now() + 10_000, report: () => {} };
            await waitForAge({ name: "c-controller-0", healthUrl, data: "/nowhere" }, patience);
            const tick = 10;
            assert.ok(isBefore(start, Date.now() - tick), "a file written now may look older than the process");
        } finally {
            server.close();
        }
    });
});
