// A VPC, a DNS zone and a cluster in them, created by one program and one `pulumi up`.
import { InternetGateway } from "@pulumi/aws/ec2/internetGateway";
import { Route } from "@pulumi/aws/ec2/route";
import { RouteTable } from "@pulumi/aws/ec2/routeTable";
import { RouteTableAssociation } from "@pulumi/aws/ec2/routeTableAssociation";
import { SecurityGroup } from "@pulumi/aws/ec2/securityGroup";
import { Subnet } from "@pulumi/aws/ec2/subnet";
import { Vpc } from "@pulumi/aws/ec2/vpc";
import { Zone } from "@pulumi/aws/route53/zone";
import { AwsCluster } from "../index";

const domain = "team.example.org";
const vpcCidr = "10.60.0.0/16";

const vpc = new Vpc("team", {
    cidrBlock: vpcCidr,
    enableDnsSupport: true,
    enableDnsHostnames: true,
    tags: { Name: "team" },
});
const gateway = new InternetGateway("team", { vpcId: vpc.id });
const table = new RouteTable("team", { vpcId: vpc.id });
const route = new Route("team", {
    routeTableId: table.id,
    destinationCidrBlock: "0.0.0.0/0",
    gatewayId: gateway.id,
});
const subnets = ["a", "b"].map(
    (zone, index) =>
        new Subnet(`team-${zone}`, {
            vpcId: vpc.id,
            availabilityZone: `eu-central-1${zone}`,
            cidrBlock: `10.60.${index}.0/24`,
            mapPublicIpOnLaunch: true,
        }),
);
const routed = subnets.map(
    ({ id }, index) => new RouteTableAssociation(`team-${index}`, { routeTableId: table.id, subnetId: id }),
);
const monitoring = new SecurityGroup("team-monitoring", {
    name: "team-monitoring",
    description: "Prometheus, which reads metrics of nodes",
    vpcId: vpc.id,
});
// Nodes find the API by this zone: delegate it from its parent, by NS records with `zone.nameServers`.
const zone = new Zone("team", { name: domain });

const cluster = new AwsCluster(
    "blue",
    {
        domain,
        region: "eu-central-1",
        publicZone: zone.zoneId,
        vpcId: vpc.id,
        vpcCidr,
        subnetIds: subnets.map(({ id }) => id),
        inboundRules: [{ ports: "9100", from: monitoring.id }],
        tags: { network: vpc.id },
        workerPools: [{ name: "default" }],
    },
    // Nodes need their route to the internet when they boot, and while they are deleted.
    { dependsOn: [route, ...routed] },
);

export const { kubeconfig, apiUrl } = cluster;
export const { nameServers } = zone;
