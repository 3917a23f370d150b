import assert from "node:assert/strict";
import type { OsLike } from "../../../machines";
import { createArgs } from "../../../machines/machine-container";

describe("the container of a machine", () => {
    const machine = { cluster: "c", name: "n", address: "10.117.5.11" };
    const network = { cluster: "c", subnet: "10.117.5.0/24", domain: "test" };
    const withAddress6 = { ...machine, address6: "fd74:7264:a75:500::b" };

    it("has no IPv6 unless requested", () => {
        const args = createArgs(machine, network, "image");
        assert.deepEqual(args.slice(args.indexOf("image") + 1), [
            "/sbin/machine-init",
            "os=ignition",
            "gateway=10.117.5.1",
            "dns=10.117.5.2",
            "search=c.test",
        ]);
        assert(!args.includes("--ip6"));
    });

    it("gets the operating system that it imitates", () => {
        const args = createArgs({ ...machine, osLike: "ubuntu" }, network, "image");
        assert.equal(args.at(-1), "like=ubuntu");
    });

    it("runs commands in its virtual machine, if it is one", () => {
        const paths = (osLike: OsLike) => {
            const args = createArgs({ ...machine, os: "cloud-init", osLike }, network, "image");
            return args.filter((arg) => arg.startsWith("PATH="));
        };
        assert.match(paths("virtual-machine").join(), /^PATH=\/usr\/lib\/tradewind\/guest-bin:/);
        assert.deepEqual(paths("ubuntu"), []);
    });

    it("configures its IPv6 address itself", () => {
        const args = createArgs(withAddress6, network, "image");
        assert.equal(args.at(-1), "address6=fd74:7264:a75:500::b");
        assert(!args.includes("--ip6"));
    });

    it("gets it from the engine, too, in an IPv6 network", () => {
        const args = createArgs(withAddress6, { ...network, subnet6: "fd74:7264:a75:500::/64" }, "image");
        assert.equal(args[args.indexOf("--ip6") + 1], "fd74:7264:a75:500::b");
        assert.equal(args.at(-1), "address6=fd74:7264:a75:500::b");
    });
});
