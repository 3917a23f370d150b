import assert from "node:assert/strict";
import { requireInboundRules } from "../../../../../components/aws/network/inbound-rules";
import type { AwsInboundRule } from "../../../../../components/aws/options";
import { deployAws } from "../deploy-aws";

describe("inbound rules of one's own on AWS", function () {
    this.timeout(60_000);

    it("allow ports between nodes by default, or to some of them from blocks and security groups", async () => {
        const { resources } = await deployAws({
            inboundRules: [
                { ports: "9100" },
                { ports: "30000-32767", from: "192.0.2.0/24", to: "workers" },
                { ports: "53", protocol: "udp", from: "sg-0123456789abcdef0", to: "controllers" },
            ],
        });
        const own = resources.filter(({ name }) => name.includes("-own-")).sort((a, b) => (a.name < b.name ? -1 : 1));
        assert.deepEqual(
            own.map(({ name, inputs }) => [
                name,
                inputs.securityGroupId,
                `${inputs.ipProtocol} ${inputs.fromPort}-${inputs.toPort}`,
                inputs.cidrIpv4 ?? inputs.referencedSecurityGroupId,
            ]),
            [
                [
                    "c-controllers-own-udp-53-sg-0123456789abcdef0",
                    "c-controllers-id",
                    "udp 53-53",
                    "sg-0123456789abcdef0",
                ],
                ["c-nodes-own-tcp-9100-nodes", "c-nodes-id", "tcp 9100-9100", "c-nodes-id"],
                ["c-workers-own-tcp-30000-32767-192-0-2-0-24", "c-workers-id", "tcp 30000-32767", "192.0.2.0/24"],
            ],
        );
    });

    const refused: readonly (readonly [what: string, rule: AwsInboundRule, message: RegExp])[] = [
        [
            "no port",
            { ports: "0" },
            /^inboundRules\[0\]\.ports must be a port from 1 to 65535, or a range .* \(got 0\)$/,
        ],
        ["a port too far", { ports: "65536" }, /^inboundRules\[0\]\.ports must be a port .* \(got 65536\)$/],
        [
            "a range that ends before it begins",
            { ports: "90-80" },
            /^inboundRules\[0\]\.ports must be .* \(got 90-80\)$/,
        ],
        [
            "an unknown protocol",
            { ports: "80", protocol: "icmp" },
            /^inboundRules\[0\]\.protocol must be one of tcp, udp/,
        ],
        [
            "unknown nodes",
            { ports: "80", to: "etcd" },
            /^inboundRules\[0\]\.to must be one of nodes, controllers, workers/,
        ],
        [
            "an unknown peer",
            { ports: "80", from: "office" },
            /^inboundRules\[0\]\.from must be nodes, an IPv4 block or a security group's id \(got office\)$/,
        ],
        [
            "a block that is none",
            { ports: "80", from: "192.0.2.1/24" },
            /^inboundRules\[0\]\.from.* \(got 192\.0\.2\.1\/24\)/,
        ],
        [
            "etcd's ports",
            { ports: "2000-3000" },
            /^inboundRules\[0\]\.ports must not contain 2379-2380 \(etcd\), which only controllers may reach \(got 2000-3000\)$/,
        ],
    ];
    for (const [what, rule, message] of refused) {
        it(`refuse ${what}`, () => assert.throws(() => requireInboundRules([rule]), { message }));
    }

    it("are listed once", () => {
        const message = 'inboundRules[1] must not be listed twice (got {"ports":"80","from":"nodes"})';
        assert.throws(() => requireInboundRules([{ ports: "80" }, { ports: "80", from: "nodes" }]), { message });
    });
});
