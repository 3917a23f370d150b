import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listenByEveryAddress } from "../../../../../cluster/manifests/control-plane/haproxy";
import { assertShell } from "../../../components/in-cluster/shell";

/** In the kernel's format: each address is in both of its tables. */
const table = (...addresses: string[]) => {
    const locals = ["127.0.0.1", ...addresses].map((each) => `           |-- ${each}\n              /32 host LOCAL\n`);
    const others = `  +-- 0.0.0.0/0 3 0 4\n     |-- 0.0.0.0\n        /0 universe UNICAST\n        |-- 203.0.113.0\n           /20 link UNICAST\n           |-- 203.0.113.255\n              /32 link BROADCAST\n`;
    return ["Main:", "Local:"].map((name) => `${name}\n${others}${locals.join("")}`).join("");
};

describe("the addresses of a listener without a load balancer", () => {
    let folder: string;
    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-addresses-"));
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    const listen = (addresses: string[], ipv6?: string) => {
        writeFileSync(join(folder, "fib_trie"), table(...addresses));
        if (ipv6 !== undefined) writeFileSync(join(folder, "if_inet6"), ipv6);
        const script = `${listenByEveryAddress.replaceAll("/proc/net", folder)}printf %s "$LISTEN"`;
        const env = { ...process.env, NODE_IP: "10.0.0.11" };
        return execFileSync("/bin/sh", ["-eu", "-c", script], { encoding: "utf8", env });
    };

    it("is the node's own address, and each other one of its machine once, but for the loopback's", () => {
        assert.equal(
            listen(["203.0.113.10", "10.0.0.11", "10.0.0.1"]),
            "10.0.0.11:6443,203.0.113.10:6443,10.0.0.1:6443",
        );
    });

    it("is the node's own address where there is no other", () => {
        assert.equal(listen(["10.0.0.11"]), "10.0.0.11:6443");
        assert.equal(listen([]), "10.0.0.11:6443");
    });

    it("is each address of IPv6 that the internet may reach and the kernel binds", () => {
        const ipv6 = [
            "00000000000000000000000000000001 01 80 10 80       lo",
            "fe8000000000000000fc00fffe000001 02 40 20 80     eth0",
            "2a03b0c0000300d0000000000b666001 02 40 00 80     eth0",
            "2a03b0c0000300d0000000000b666002 02 40 00 40     eth0",
            "2a03b0c0000300d0000000000b666003 02 40 00 88     eth0",
            "",
        ].join("\n");
        assert.equal(listen(["10.0.0.11"], ipv6), "10.0.0.11:6443,[2a03:b0c0:0003:00d0:0000:0000:0b66:6001]:6443");
        assert.equal(listen(["10.0.0.11"], ""), "10.0.0.11:6443");
    });

    it("is found without a mistake that a shell or shellcheck finds", () =>
        assertShell(`#!/bin/sh\nNODE_IP=10.0.0.11\n${listenByEveryAddress}`));
});
