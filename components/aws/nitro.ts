/**
 * Families of instances on Xen, where a volume of EBS is another device than of NVMe, whose name tells the volume.
 * Source: EC2's "Instances built on the AWS Nitro System", which names the others.
 */
const onXen = /^(t[12]|m[1-4]|c[134]|cc2|cr1|r[34]|i[23]|d2|h1|hs1|g2|g3s?|f1|p[23]|x1e?)\./;

/** Whether an instance type is of the Nitro system. New families are; bare metal of an old one is, too. */
export function isNitro(instanceType: string): boolean {
    return !onXen.test(instanceType) || instanceType.endsWith(".metal");
}
