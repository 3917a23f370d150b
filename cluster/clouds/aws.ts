import type { CloudFacts } from "./facts";

export const aws: CloudFacts = {
    title: "AWS",
    component: "AwsCluster",
    // Source: EC2's "Access instance metadata".
    identity: `metadata=http://169.254.169.254/latest
token=$(ask -X PUT -H "X-aws-ec2-metadata-token-ttl-seconds: 60" $metadata/api/token)
of_instance() { ask -H "X-aws-ec2-metadata-token: $token" "$metadata/meta-data/$1"; }
zone=$(of_instance placement/availability-zone)
instance=$(of_instance instance-id)
id=aws:///$zone/$instance`,
    listingCommands: (cluster) => [
        `aws resourcegroupstaggingapi get-resources --tag-filters Key=tradewind.dev/cluster,Values=${cluster} --query 'ResourceTagMappingList[].ResourceARN'`,
    ],
    machine: {
        type: "aws:ec2/instance:Instance",
        publicAddress: "publicIp",
        size: "instanceType",
        zone: "availabilityZone",
    },
    network: { type: "aws:ec2/vpc:Vpc", cidr: "cidrBlock" },
    loadBalancer: { type: "aws:lb/loadBalancer:LoadBalancer", address: "dnsName" },
    volume: "aws:ebs/volume:Volume",
    balancerParts: ["aws:lb/targetGroup:TargetGroup", "aws:lb/listener:Listener"],
    // A node config: its name contains the hash of its content.
    harmless: ["aws:s3/bucketObjectv2:BucketObjectv2"],
    group: "aws:autoscaling/group:Group",
    subnet: { type: "aws:ec2/subnet:Subnet", zone: "availabilityZone", cidr: "cidrBlock" },
};
