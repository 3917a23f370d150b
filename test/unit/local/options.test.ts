import assert from "node:assert/strict";
import { program } from "../../../local/start";
import { KUBERNETES_VERSIONS } from "../../../versions";

describe("the options of npm start", () => {
    it("set nothing but the name by default, so that an existing cluster keeps its values", () => {
        const given = Object.entries(program.parse([]).options).filter(([, value]) => value !== undefined);
        assert.deepEqual(Object.fromEntries(given), {
            name: "local",
            arbiter: false,
            candidates: false,
            destroy: false,
            discardLocalData: false,
            offline: false,
            yes: false,
        });
    });

    it("are all parsed", () => {
        const args =
            "--name a --controllers 3 --workers 0 --kubernetes 1.35.4 --etcd 3.6.16 --os cloud-init --os-like ubuntu --level 1-4 --cni none --kube-proxy-mode none --candidates --offline -y";
        const { options } = program.parse([
            ...args.split(" "),
            ...["--pod-cidr", "10.8.0.0/16", "--service-cidr=10.9.0.0/16"],
            ...["--pod-cidr6", "fd00:10:2::/56", "--service-cidr6=fd00:10:3::/112"],
        ]);
        assert.deepEqual(options, {
            name: "a",
            arbiter: false,
            candidates: true,
            destroy: false,
            discardLocalData: false,
            offline: true,
            yes: true,
            controllers: 3,
            workers: 0,
            kubernetes: "1.35.4",
            etcd: "3.6.16",
            os: "cloud-init",
            osLike: "ubuntu",
            level: "1-4",
            cni: "none",
            kubeProxyMode: "none",
            podCidr: "10.8.0.0/16",
            serviceCidr: "10.9.0.0/16",
            podCidr6: "fd00:10:2::/56",
            serviceCidr6: "fd00:10:3::/112",
        });
    });

    const refused: [string, string][] = [
        ["--controllers 2", "--controllers must be 1, 3 or 5 (got 2)"],
        ["--controllers=", '--controllers must be 1, 3 or 5 (got "")'],
        ["--workers two", "--workers must be a whole number from 0 to 200 (got two)"],
        ["--workers=-1", "--workers must be a whole number from 0 to 200 (got -1)"],
        ["--workers 201", "--workers must be a whole number from 0 to 200 (got 201)"],
        [
            "--kubernetes 1.20.0",
            `--kubernetes must be ${KUBERNETES_VERSIONS.slice(0, -1).join(", ")} or ${KUBERNETES_VERSIONS.at(-1)} (got 1.20.0)`,
        ],
        ["--level 3-4", "--level must be 2-4, 1-4 or 0-4 (got 3-4)"],
        ["--cni cilium", "--cni must be flannel, kube-router or none (got cilium)"],
        ["--os-like windows", "--os-like must be ubuntu, flatcar, fedora-coreos or virtual-machine (got windows)"],
        ["--os windows", "--os must be ignition or cloud-init (got windows)"],
        [
            "--pod-cidr 10.2.0.1/16",
            "--pod-cidr must have no host bits set (got 10.2.0.1/16): did you mean 10.2.0.0/16?",
        ],
        ["--service-cidr ten", '--service-cidr must be an IPv4 block such as 10.0.0.0/16 (got "ten")'],
        ["--pod-cidr6 10.2.0.0/16", '--pod-cidr6 must be an IPv6 block such as fd00:10:2::/56 (got "10.2.0.0/16")'],
        [
            "--name Local",
            "--name must be a DNS label of at most 19 characters (a-z, 0-9 and -, starting with a letter) (got Local)",
        ],
        ["--colour red", "unknown option --colour; see npm start -- --help"],
        ["local", "unexpected argument local; see npm start -- --help"],
        ["--arbiter --controllers 3", "--arbiter and --controllers are mutually exclusive"],
        ["--destroy --workers 2", "--destroy and --workers are mutually exclusive"],
    ];
    for (const [args, message] of refused) {
        it(`reject ${args}`, () => {
            assert.throws(() => program.parse(args.split(" ")), { message });
        });
    }

    it("accept the longest name whose machine names are still DNS labels", () => {
        const longest = "a".repeat(19);
        assert.equal(program.parse(["--name", longest]).options.name, longest);
        assert.throws(() => program.parse(["--name", `${longest}a`]), /at most 19 characters/);
    });
});
