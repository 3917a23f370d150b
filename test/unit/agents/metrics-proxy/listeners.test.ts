import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { addressesOf, Listeners } from "../../../../agents/metrics-proxy/listeners";
import { freePort } from "../../../free-port";

const scheduler = { port: 10259, user: 60803 };
const head = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode";

/** A line of the kernel's table. @param local - `127.64.1.2` is `0201407F` */
const line = (local: string, { state = "0A", user = 60803, port = "2813" } = {}) =>
    `   0: ${local}:${port} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000 ${user}        0 4242 1 0 100 0 0 10 0`;

describe("generations of a component", () => {
    it("are found where the component's user listens on their port, at a loopback address of a generation", () => {
        const table = [
            head,
            line("0201407F"),
            line("0300607F"),
            line("0401407F", { state: "01" }),
            line("0501407F", { user: 0 }),
            line("0601407F", { port: "2811" }),
            line("0100007F"),
            line("0B00000A"),
            "",
        ];
        assert.deepEqual(addressesOf(scheduler, table.join("\n")), ["127.64.1.2", "127.96.0.3"]);
    });

    it("are used until they end, while two run", async () => {
        let table = line("0201407F");
        const listeners = new Listeners(async () => table);
        assert.equal(await listeners.find(scheduler), "127.64.1.2");
        table = [line("0300607F"), line("0201407F")].join("\n");
        assert.equal(await listeners.find(scheduler), "127.64.1.2");
        table = line("0300607F");
        assert.equal(await listeners.find(scheduler), "127.96.0.3");
        table = "";
        assert.equal(await listeners.find(scheduler), undefined);
    });

    it("are in the table of this machine's kernel", async () => {
        const port = await freePort();
        const server = createServer().listen(port, "127.70.1.2");
        await new Promise((resolve) => server.once("listening", resolve));
        try {
            const generations = { port, user: process.getuid!() };
            assert.equal(await new Listeners().find(generations), "127.70.1.2");
            assert.deepEqual(addressesOf({ port, user: 60803 }, readFileSync("/proc/net/tcp", "utf8")), []);
        } finally {
            server.close();
        }
    });
});
