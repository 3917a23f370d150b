import assert from "node:assert/strict";
import { main } from "../../../machines/cli";

/** Runs the command line and captures its output; no engine is used. */
async function run(...args: string[]): Promise<{ exitCode: number; output: string }> {
    const [error, write] = [console.error, process.stdout.write];
    let output = "";
    console.error = (text: unknown) => {
        output += text;
    };
    process.stdout.write = (text) => {
        output += text;
        return true;
    };
    try {
        return { exitCode: await main(args), output };
    } finally {
        console.error = error;
        process.stdout.write = write;
    }
}

describe("the machines' command line", () => {
    it("explains every verb with --help", async () => {
        const { exitCode, output } = await run("--help");
        assert.equal(exitCode, 0);
        for (const verb of ["network create", "load-balancer create", "machine power-cut", "bootstrap wait", "logs"]) {
            assert.ok(output.includes(verb), `${verb} is missing`);
        }
    });

    const machine = ["machine", "create", "--cluster", "c", "--name", "n", "--address", "10.117.0.11"];
    const network = ["network", "create", "--cluster", "c", "--domain", "test"];
    for (const [args, message] of [
        [[], /^verb must be one of network create, .*, got nothing$/],
        [["machine", "paint"], /^verb must be one of .*, got machine paint$/],
        [["list", "--colour", "red"], /^Unknown option '--colour'$/],
        [["destroy"], /^--cluster must be a DNS label of at most 63 .*, got nothing$/],
        [["destroy", "--cluster", "-x"], /--cluster/],
        [["destroy", "--cluster", "Big"], /^--cluster must be a DNS label .*, got Big$/],
        [
            [...network, "--subnet", "10.117.5.1/24"],
            /^--subnet must be an IPv4 subnet that ends in .0\/24, got 10.117.5.1\/24$/,
        ],
        [[...network, "--subnet", "10.117.5.0/16"], /^--subnet must be .*, got 10.117.5.0\/16$/],
        [
            [...network, "--subnet", "10.117.5.0/24", "--subnet6", "fd00::/48"],
            /^--subnet6 must be an IPv6 subnet that ends in ::\/64, got fd00::\/48$/,
        ],
        [[...machine, "--address6", "10.0.0.1"], /^--address6 must be an IPv6 address, got 10.0.0.1$/],
        [[...machine, "--os", "windows"], /^--os must be ignition or cloud-init, got windows$/],
        [[...machine, "--memory", "lots"], /^--memory must be a size such as 512m or 4g, got lots$/],
        [[...machine, "--address", "10.117.0.256"], /^--address must be an IPv4 address, got 10.117.0.256$/],
        [
            ["load-balancer", "create", "--cluster", "c", "--address", "10.117.0.3", "--backends", "a"],
            /^--backends must be/,
        ],
        [
            ["bootstrap", "wait", "--cluster", "c", "--name", "n", "--timeout", "soon"],
            /^--timeout must be a number of seconds, got soon$/,
        ],
        [["exec", "--cluster", "c", "--name", "n"], /^missing command after --$/],
    ] as const) {
        it(`rejects "${args.join(" ")}"`, async () => {
            const { exitCode, output } = await run(...args);
            assert.match(output, message);
            assert.equal(exitCode, 2);
        });
    }
});
