import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { ensure } from "../../artifacts";
import { resolveAws } from "../../components/aws/resolve";
import { Account } from "../../simulator/clouds/aws/account";
import { ecrRegistry } from "../../simulator/clouds/aws/services/ecr";
import { startServices } from "./aws-cloud-controller";
import { binary } from "./kubernetes-fixture/binaries";

const host = "123456789012.dkr.ecr.eu-central-1.amazonaws.com";
const image = `${host}/shop:1.4`;

// Building the program the first time takes a minute.
describe("the kubelet's credential provider for ECR, in a simulated account", function () {
    this.timeout(400_000);
    let folder: string;
    let account: Account;
    let services: ChildProcess | undefined;
    let url: string;

    before(() => ensure({ only: ["ecr-credential-provider"], say: () => {} }));
    beforeEach(async () => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-ecr-"));
        const path = join(folder, "account.json");
        account = Account.open(path, { region: "eu-central-1", zones: {}, amis: {} });
        account.put("vpcs", "vpc-1", { name: "c", cidr: "10.9.0.0/24" });
        account.put("subnets", "subnet-1", { name: "s", vpc: "vpc-1", cidr: "10.9.0.0/28", zone: "eu-central-1a" });
        account.put("gateways", "igw-1", { name: "g", vpc: "vpc-1" });
        account.put("routeTables", "rtb-1", { name: "t", vpc: "vpc-1" });
        account.put("routes", "r-1", { name: "r", table: "rtb-1", gateway: "igw-1" });
        account.put("associations", "a-1", { name: "a", table: "rtb-1", subnet: "subnet-1" });
        account.put("roles", "r", { name: "r" });
        account.put("instanceProfiles", "p", { name: "p", role: "r" });
        const spec = { ami: "ami-1", instanceType: "t3.medium", userData: "{}", profile: "p", groups: [] };
        const at = { vpc: "vpc-1", subnet: "subnet-1", groups: [], spec };
        account.put("instances", "i-1", { name: "c-a", machine: "c-a", address: "10.9.0.4", ...at });
        const { port, process } = await startServices(path);
        services = process;
        url = `http://127.0.0.1:${port}`;
    });
    afterEach(() => {
        services?.stdin?.end();
        rmSync(folder, { recursive: true });
    });

    /** Attaches the policies that a cluster's instances have. */
    const attach = (options: { ecrPulls?: boolean }) => {
        const { aws } = resolveAws("c", { domain: "example.com", region: "eu-central-1", ...options });
        for (const arn of aws.instances.controller!.policies.map(String)) {
            account.put("attachedPolicies", `r-${arn}`, { name: arn, role: "r" });
        }
    };
    /** Asks the provider like the kubelet. */
    const ask = async () => {
        const env = {
            ...{ AWS_ENDPOINT_URL: url, AWS_EC2_METADATA_SERVICE_ENDPOINT: url },
            ...{ AWS_CONFIG_FILE: "/dev/null", AWS_SHARED_CREDENTIALS_FILE: "/dev/null", AWS_MAX_ATTEMPTS: "1" },
        };
        const child = spawn(binary("ecr-credential-provider"), [], { env });
        child.stdin.end(
            JSON.stringify({
                kind: "CredentialProviderRequest",
                apiVersion: "credentialprovider.kubelet.k8s.io/v1",
                image,
            }),
        );
        const [output, problem] = await Promise.all([text(child.stdout), text(child.stderr)]);
        return { output, problem };
    };
    const pull = async (path: string, authorization?: string) => {
        const headers: Record<string, string> = authorization ? { authorization } : {};
        const asked = { method: "GET", host, path, query: "", headers, body: Buffer.alloc(0) };
        const answer = await ecrRegistry.answer(account, asked, { network: "c", address: "10.9.0.4", caller: {} });
        return { ...answer, json: () => JSON.parse(String(answer.body)) };
    };

    it("gives the kubelet a password that the registry takes, with the instance's role", async () => {
        attach({ ecrPulls: true });
        const { output, problem } = await ask();
        assert.notEqual(output, "", problem);
        const response = JSON.parse(output);
        assert.equal(response.kind, "CredentialProviderResponse");
        assert.equal(response.apiVersion, "credentialprovider.kubelet.k8s.io/v1");
        const { username, password } = response.auth[host];
        const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
        const manifest = await pull("/v2/shop/manifests/1.4", authorization);
        assert.equal(manifest.status, 200);
        const [layer] = manifest.json().layers;
        assert.equal((await pull(`/v2/shop/blobs/${layer.digest}`, authorization)).status, 200);
    });

    it("gets no password without the role's policy", async () => {
        attach({});
        const { output, problem } = await ask();
        assert.equal(output, "");
        assert.match(problem, /AccessDeniedException.*not authorized to perform: ecr:GetAuthorizationToken/);
    });

    it("is needed: the registry refuses pulls without a password, or with an invented one", async () => {
        const { status, headers } = await pull("/v2/shop/manifests/1.4");
        assert.equal(status, 401);
        assert.match(headers!["www-authenticate"]!, /^Basic realm="https:\/\/123456789012\.dkr\.ecr/);
        const invented = `Basic ${Buffer.from("AWS:e30.invented").toString("base64")}`;
        assert.equal((await pull("/v2/shop/manifests/1.4", invented)).status, 401);
    });
});
