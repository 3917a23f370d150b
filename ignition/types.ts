// Generated from schema/v3.5.json by generate-types.ts: do not edit.

export type HttpHeaders = {
    name: string;
    value?: string | null;
}[];
export type KernelArgument = string;

export interface Ignition {
    ignition: Ignition1;
    storage?: Storage;
    systemd?: Systemd;
    passwd?: Passwd;
    kernelArguments?: KernelArguments;
}
export interface Ignition1 {
    version: string;
    config?: IgnitionConfig;
    timeouts?: Timeouts;
    security?: Security;
    proxy?: Proxy;
}
export interface IgnitionConfig {
    merge?: Resource[];
    replace?: Resource;
}
export interface Resource {
    source?: string | null;
    compression?: string | null;
    httpHeaders?: HttpHeaders;
    verification?: Verification;
}
export interface Verification {
    hash?: string | null;
}
export interface Timeouts {
    httpResponseHeaders?: number | null;
    httpTotal?: number | null;
}
export interface Security {
    tls?: {
        certificateAuthorities?: Resource[];
    };
}
export interface Proxy {
    httpProxy?: string | null;
    httpsProxy?: string | null;
    noProxy?: string[];
}
export interface Storage {
    disks?: Disk[];
    raid?: Raid[];
    luks?: Luks[];
    filesystems?: Filesystem[];
    files?: (Node & {
        mode?: number | null;
        contents?: Resource;
        append?: Resource[];
    })[];
    directories?: (Node & {
        mode?: number | null;
    })[];
    links?: (Node & {
        target?: string | null;
        hard?: boolean | null;
    })[];
}
export interface Disk {
    device: string;
    wipeTable?: boolean | null;
    partitions?: Partition[];
}
export interface Partition {
    label?: string | null;
    number?: number;
    sizeMiB?: number | null;
    startMiB?: number | null;
    typeGuid?: string | null;
    guid?: string | null;
    wipePartitionEntry?: boolean | null;
    shouldExist?: boolean | null;
    resize?: boolean | null;
}
export interface Raid {
    name: string;
    level?: string | null;
    spares?: number | null;
    devices?: string[];
    options?: string[];
}
export interface Luks {
    name: string;
    label?: string | null;
    uuid?: string | null;
    device?: string | null;
    keyFile?: Resource;
    wipeVolume?: boolean | null;
    clevis?: Clevis;
    cex?: Cex;
    options?: string[];
    discard?: boolean | null;
    openOptions?: string[];
}
export interface Clevis {
    custom?: ClevisCustom;
    tpm2?: boolean | null;
    tang?: Tang[];
    threshold?: number | null;
}
export interface ClevisCustom {
    pin?: string | null;
    config?: string | null;
    needsNetwork?: boolean | null;
}
export interface Tang {
    url?: string;
    thumbprint?: string | null;
    advertisement?: string | null;
}
export interface Cex {
    enabled?: boolean | null;
}
export interface Filesystem {
    path?: string | null;
    device: string;
    format?: string | null;
    options?: string[];
    mountOptions?: string[];
    wipeFilesystem?: boolean | null;
    label?: string | null;
    uuid?: string | null;
}
export interface Node {
    path: string;
    overwrite?: boolean | null;
    user?: {
        id?: number | null;
        name?: string | null;
    };
    group?: {
        id?: number | null;
        name?: string | null;
    };
}
export interface Systemd {
    units?: Unit[];
}
export interface Unit {
    name: string;
    enabled?: boolean | null;
    mask?: boolean | null;
    contents?: string | null;
    dropins?: Dropin[];
}
export interface Dropin {
    name: string;
    contents?: string | null;
}
export interface Passwd {
    users?: User[];
    groups?: Group[];
}
export interface User {
    name: string;
    passwordHash?: string | null;
    sshAuthorizedKeys?: string[];
    uid?: number | null;
    gecos?: string | null;
    homeDir?: string | null;
    noCreateHome?: boolean | null;
    primaryGroup?: string | null;
    groups?: string[];
    noUserGroup?: boolean | null;
    system?: boolean | null;
    noLogInit?: boolean | null;
    shell?: string | null;
    shouldExist?: boolean | null;
}
export interface Group {
    name: string;
    gid?: number | null;
    passwordHash?: string | null;
    system?: boolean | null;
    shouldExist?: boolean | null;
}
export interface KernelArguments {
    shouldExist?: KernelArgument[];
    shouldNotExist?: KernelArgument[];
}
