import { missing, type OnPaper } from "../shared/on-paper";
import { hashedUserData } from "../shared/user-data";

export const digitalocean: OnPaper = {
    created: {
        "digitalocean:index/droplet:Droplet": ({ number, inputs }) => ({
            id: String(1000 + number),
            dropletUrn: `do:droplet:${1000 + number}`,
            ipv4Address: `198.51.100.${10 + number}`,
            ipv4AddressPrivate: `172.24.0.${10 + number}`,
            ...(inputs.ipv6 ? { ipv6Address: `2001:db8::${10 + number}` } : {}),
            ...hashedUserData(inputs),
        }),
        "digitalocean:index/customImage:CustomImage": () => ({ imageId: 180000001 }),
        "digitalocean:index/loadBalancer:LoadBalancer": ({ name }) => ({
            ...{ ip: "203.0.113.7", loadBalancerUrn: `do:loadbalancer:${name}` },
        }),
        "digitalocean:index/spacesBucket:SpacesBucket": ({ name }) => ({ bucketUrn: `do:space:${name}` }),
        "digitalocean:index/spacesKey:SpacesKey": () => ({ accessKey: "DO00PAPER", secretKey: "a-secret-on-paper" }),
        "digitalocean:index/volume:Volume": ({ name }) => ({ volumeUrn: `do:volume:${name}` }),
    },
    updated: { "digitalocean:index/droplet:Droplet": hashedUserData },
    // It has every size, key and domain, without a limit, and no name is taken.
    found: {
        "digitalocean:index/getAccount:getAccount": () => ({}),
        "digitalocean:index/getDomain:getDomain": () => ({}),
        "digitalocean:index/getSizes:getSizes": () => ({}),
        "digitalocean:index/getSshKeys:getSshKeys": () => ({}),
        "digitalocean:index/getDroplets:getDroplets": () => ({ droplets: [] }),
        "digitalocean:index/getImage:getImage": () => ({
            ...{ name: "an image", regions: ["ams3", "fra1", "nyc3", "sgp1"], status: "available", minDiskSize: 9 },
        }),
        "digitalocean:index/getProject:getProject": () => ({ id: "4e1bfbc3-dc3e-41f2-a18f-1b4d7ba71679" }),
        "digitalocean:index/getRecords:getRecords": () => ({ records: [] }),
        "digitalocean:index/getLoadBalancer:getLoadBalancer": missing("not found"),
        "digitalocean:index/getSpacesBucket:getSpacesBucket": missing("not found"),
        "digitalocean:index/getVolume:getVolume": missing("not found"),
        "digitalocean:index/getVpc:getVpc": ({ name }) => {
            if (name !== undefined) throw new Error("not found");
            return {
                id: "5a4981aa-9653-4bd1-bef5-d6bff52042e4",
                name: "default-fra1",
                ipRange: "10.114.0.0/20",
                default: true,
            };
        },
    },
};
