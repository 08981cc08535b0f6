// SPDX-License-Identifier: GPL-2.0-only
//
// P-states for every CPU of a QEMU machine and one thermal zone, so that the kernel's own
// acpi-cpufreq and ACPI thermal drivers have something to drive.
//
// The temperature (degrees Celsius) is the scratch register of COM4, the firmware's limit (_PPC)
// that of COM2: a guest writes them through /dev/port. The zone is polled (_TZP) and looks after
// the limit on that occasion.
//
// The lab repeats a line with @CPU@ for every CPU, one with @FIRST@ for those of the first domain.
DefinitionBlock ("ssdt.aml", "SSDT", 2, "PWRCTL", "THERMAL", 0x1)
{
    External (\_SB.CPUS, DeviceObj)
    External (\_SB.CPUS.@CPU@, DeviceObj)
    OperationRegion (PREG, SystemIO, 0x2FF, 1)
    Field (PREG, ByteAcc, NoLock, Preserve) { FLIM, 8 }
    OperationRegion (TREG, SystemIO, 0x2EF, 1)
    Field (TREG, ByteAcc, NoLock, Preserve) { TEMP, 8 }
    Name (SEEN, 0)
    Scope (\_SB.CPUS)
    {
        Name (PSTB, Package ()
        {
            Package () { 3000, 15000, 10, 10, 3, 3 },
            Package () { 2400, 11000, 10, 10, 2, 2 },
            Package () { 1800,  7000, 10, 10, 1, 1 },
            Package () { 1200,  4000, 10, 10, 0, 0 }
        })
        Name (PCTB, Package ()
        {
            ResourceTemplate () { Register (SystemIO, 8, 0, 0x3EF) },
            ResourceTemplate () { Register (SystemIO, 8, 0, 0x3EF) }
        })
    }
    Scope (\_SB.CPUS.@CPU@) { Method (_PSS) { Return (PSTB) } Method (_PCT) { Return (PCTB) } Method (_PPC) { Return (FLIM) } Name (_PSD, Package () { Package () { 5, 0, @DOMAIN@, 0xFC, @COUNT@ } }) }
    Method (NPPC, 0, Serialized)
    {
        Notify (\_SB.CPUS.@CPU@, 0x80)
    }
    ThermalZone (\_TZ.TZ00)
    {
        Method (_TMP, 0, Serialized)
        {
            Local0 = FLIM
            If (Local0 != SEEN)
            {
                SEEN = Local0
                NPPC ()
            }
            Return (Add (Multiply (TEMP, 10), 2732))
        }
        Method (_PSV) { Return (Add (Multiply (80, 10), 2732)) }
        Method (_CRT) { Return (Add (Multiply (120, 10), 2732)) }
        Name (_PSL, Package ()
        {
            \_SB.CPUS.@FIRST@@COMMA@
        })
        Name (_TC1, 4)
        Name (_TC2, 3)
        Name (_TSP, 2)
        Name (_TZP, 2)
    }
}
