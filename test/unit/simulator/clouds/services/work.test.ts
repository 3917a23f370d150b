import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CloudServices } from "../../../../../simulator/clouds/services/service";
import { work } from "../../../../../simulator/clouds/services/work";

describe("a simulated cloud's background work", () => {
    const folder = mkdtempSync(join(tmpdir(), "tradewind-work-"));
    const path = join(folder, "account.json");
    beforeEach(() => writeFileSync(path, "{}"));
    after(() => rmSync(folder, { recursive: true }));

    /** Works until it ends; returns its log and how often it worked. */
    async function lead(networks: () => string[], networksThere: () => Promise<string[]>, own = async () => {}) {
        const logged: string[] = [];
        let count = 0;
        const each = async () => {
            count++;
            await own();
        };
        const cloud = { account: () => ({}), networks, work: [each] } as unknown as CloudServices<unknown>;
        await work(cloud, path, { networksThere, log: (line) => logged.push(line), every: 1 });
        return { logged, count };
    }

    it("ends with the account's last network", async () => {
        let left = 3;
        const { count } = await lead(
            () => (left-- > 0 ? ["c"] : []),
            async () => ["c"],
        );
        assert.equal(count, 3);
    });

    it("ends when none of them exists on this host any more", async () => {
        const { count } = await lead(
            () => ["c"],
            async () => ["other"],
        );
        assert.equal(count, 0);
    });

    it("ends when the account is removed, and continues while the engine does not respond", async () => {
        let asked = 0;
        await lead(
            () => ["c"],
            async () => {
                if (++asked === 20) rmSync(path);
                throw new Error("no engine");
            },
        );
        assert.equal(asked, 20);
    });

    it("continues after an error, and logs it", async () => {
        let left = 2;
        const fail = async () => {
            throw new Error("no");
        };
        const { count, logged } = await lead(
            () => (left-- > 0 ? ["c"] : []),
            async () => ["c"],
            fail,
        );
        assert.equal(count, 2);
        assert.match(logged[1]!, /^background work failed: Error: no/);
    });
});
