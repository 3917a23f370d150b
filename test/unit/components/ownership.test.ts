import assert from "node:assert/strict";
import { ownership as ofAws } from "../../../simulator/clouds/aws/ownership";
import { ownership as ofDigitalOcean } from "../../../simulator/clouds/digitalocean/ownership";
import type { Deployed } from "../deploy";
import { deployAws } from "./aws/deploy-aws";
import { deployDigitalOcean } from "./digitalocean/deploy-digitalocean";

const named = "its name comes from the cluster's and the machine's, and another name is another resource";
const constant = "it is always the same";
const inherited = "it is replaced with what it belongs to";

/** Why an input whose change would take something along does not change by surprise, by type. @default ignored */
const reasons: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    "aws:autoscaling/group:Group": { name: named },
    "aws:ec2/eip:Eip": { domain: constant },
    "aws:ec2/instance:Instance": {
        "rootBlockDevice.encrypted": constant,
        instanceType: "another architecture is refused in preview",
    },
    "aws:ec2/launchTemplate:LaunchTemplate": { name: named },
    "aws:ec2/routeTable:RouteTable": { vpcId: inherited },
    "aws:ec2/securityGroup:SecurityGroup": { name: named, description: constant },
    "aws:lb/loadBalancer:LoadBalancer": {
        name: named,
        loadBalancerType: constant,
        subnets: "fewer zones or other subnets are refused in preview",
        securityGroups: "it always has one",
    },
    "aws:lb/targetGroup:TargetGroup": {
        name: "a name with another port is another group, which the listener takes first",
        vpcId: inherited,
        targetType: constant,
        protocol: constant,
        port: "the name contains it",
    },
    "aws:route53/zone:Zone": { name: "the domain cannot be changed after creation" },
    "aws:s3/bucket:Bucket": {
        bucket: "Pulumi keeps the name that it chose; another one that is given is another bucket",
    },
    "digitalocean:index/droplet:Droplet": {
        region: "the region cannot be changed after creation",
        vpcUuid: inherited,
    },
    "digitalocean:index/loadBalancer:LoadBalancer": {
        region: "the region cannot be changed after creation",
        vpcUuid: inherited,
    },
    "digitalocean:index/spacesBucket:SpacesBucket": {
        name: "another name that is given is another Space",
        region: "another region that is given is another Space",
    },
    "digitalocean:index/tag:Tag": { name: named },
    "digitalocean:index/volume:Volume": { name: named },
};

const clouds = {
    aws: {
        table: ofAws,
        deploy: () =>
            deployAws({
                topology: "private",
                apiAccess: "internal",
                csiDriver: true,
                ingress: {},
                controllers: { count: 3 },
                workerPools: [{ name: "default" }, { name: "scaling", min: 1, max: 3 }],
            }),
    },
    digitalocean: {
        table: ofDigitalOcean,
        deploy: () =>
            deployDigitalOcean({
                ipv6: true,
                image: "ubuntu-26-04-x64",
                monitoring: true,
                snapshotSpace: { name: "acme" },
                etcdSnapshots: { interval: "6h" },
                controllers: { count: 3 },
                workerPools: [{ name: "default", count: 2 }],
            }),
    },
};

const isIgnored = ({ opts }: Deployed, path: string) => (opts.ignoreChanges ?? []).includes(path);
const isGiven = ({ inputs }: Deployed, path: string) => inputs[path.split(".")[0]!] !== undefined;

for (const [cloud, { table, deploy }] of Object.entries(clouds)) {
    describe(`resources of a cluster on ${cloud}`, () => {
        let resources: Deployed[];
        before(async () => {
            ({ resources } = await deploy());
        });
        const complaints = (problem: (resource: Deployed, type: (typeof table)[string]) => readonly string[]) =>
            resources.flatMap((each) => {
                const { [each.type]: type } = table;
                return type ? problem(each, type).map((input) => `${each.type} ${each.name}: ${input}`) : [];
            });

        it("leave alone what others change too", () => {
            const undone = complaints((resource, { shared = {} }) =>
                Object.entries(shared)
                    .filter(([input, { safe }]) => safe === "ignored" && isGiven(resource, input))
                    .filter(([, { isShared = () => true }]) => isShared(resource.inputs))
                    .flatMap(([input]) => (isIgnored(resource, input) ? [] : [input])),
            );
            assert.deepEqual(undone, []);
        });

        it("do not set what would remove the additions of others", () => {
            const set = complaints((resource, { omitted = {} }) =>
                Object.keys(omitted).filter((input) => isGiven(resource, input)),
            );
            assert.deepEqual(set, []);
        });

        it("are not replaced by surprise if that takes something along", () => {
            const open = complaints((resource, { takes, replacedBy, sometimesReplacedBy = {} }) =>
                takes === undefined
                    ? []
                    : [...replacedBy, ...Object.keys(sometimesReplacedBy)]
                          .filter((path) => isGiven(resource, path) && !isIgnored(resource, path))
                          .filter((path) => reasons[resource.type]?.[path] === undefined),
            );
            assert.deepEqual(open, []);
        });
    });
}
