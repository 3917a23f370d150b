import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listens } from "../../../../../agents/etcd/member/ending";

describe("a listener", () => {
    it("is found for a process on this machine, without a connection", async () => {
        const server = createServer(() => assert.fail("connected"));
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
        const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
        assert.equal(listens(process.pid, url), true);
        assert.equal(listens(process.pid, url.replace("127.0.0.1", "127.0.0.2")), false);
        await new Promise((resolve) => server.close(resolve));
        assert.equal(listens(process.pid, url), false);
    });

    describe("as the kernel prints it", () => {
        const proc = mkdtempSync(join(tmpdir(), "tradewind-proc-"));
        const write = (pid: number, tcp: string, tcp6 = "") => {
            mkdirSync(join(proc, `${pid}/net`), { recursive: true });
            for (const [name, lines] of Object.entries({ tcp, tcp6 })) {
                writeFileSync(join(proc, `${pid}/net/${name}`), `  sl  local_address rem_address   st\n${lines}`);
            }
        };
        after(() => rmSync(proc, { recursive: true }));
        const told = (pid: number) => listens(pid, "https://10.0.0.11:2379", proc);

        it("may use every address, of one protocol or both", () => {
            write(1, "   0: 00000000:094B 00000000:0000 0A 0\n");
            write(2, "", `   0: ${"0".repeat(32)}:094B ${"0".repeat(32)}:0000 0A 0\n`);
            assert.deepEqual([told(1), told(2)], [true, true]);
        });

        it("is not an open connection", () => {
            write(3, "   0: 0B00000A:094B 0C00000A:C001 01 0\n   1: 0B00000A:094C 00000000:0000 0A 0\n");
            assert.equal(told(3), false);
        });

        it("is unknown for a process that has ended, or for a hostname", () => {
            assert.equal(told(4), undefined);
            assert.equal(listens(3, "https://etcd.example:2379", proc), undefined);
        });
    });
});
