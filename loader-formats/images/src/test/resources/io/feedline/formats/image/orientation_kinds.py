import os,sys,struct,io,zlib,random
from PIL import Image
out=sys.argv[1]; os.makedirs(out,exist_ok=True); r=random.Random(9)
im=Image.new("RGB",(23,17)); im.putdata([(x*11%256,(x*7)%256,(x*3)%256) for x in range(23*17)])
def tiff(entries,be=False,extra=b"",magic=None,nxt=0,cut=None):
    e=">" if be else "<"
    d=(b"MM\0*" if be else b"II*\0") if magic is None else magic
    d+=struct.pack(e+"L",8)+struct.pack(e+"H",len(entries))
    for tag,typ,cnt,val in entries: d+=struct.pack(e+"HHL",tag,typ,cnt)+val
    d+=struct.pack(e+"L",nxt)+extra
    return d if cut is None else d[:cut]
def s(v,be=False,f="H"): return (struct.pack((">" if be else "<")+f,v)+b"\0\0\0\0")[:4] if f!="x" else v
def o(v,be=False): return [(274,3,1,s(v,be))]
blocks={}
for v in range(0,10):
    blocks[f"n{v}"]=tiff(o(v)); blocks[f"be{v}"]=tiff(o(v,True),True)
for name,typ,f in (("byte",1,"B"),("ascii",2,"B"),("long",4,"L"),("sbyte",6,"b"),("undef",7,"B"),("sshort",8,"h"),("slong",9,"l"),("float",11,"f"),("ifd",13,"L"),("t0",0,"L"),("t14",14,"L"),("t99",99,"L")):
    blocks[name]=tiff([(274,typ,1,s(6,False,f))]); blocks[name+"be"]=tiff([(274,typ,1,s(6,True,f))],True)
blocks["sshortneg"]=tiff([(274,8,1,s(-6,False,"h"))])
blocks["rat"]=tiff([(274,5,1,struct.pack("<L",26))],extra=struct.pack("<LL",6,1)); blocks["rat12_2"]=tiff([(274,5,1,struct.pack("<L",26))],extra=struct.pack("<LL",12,2)); blocks["rat0"]=tiff([(274,5,1,struct.pack("<L",26))],extra=struct.pack("<LL",6,0))
blocks["srat"]=tiff([(274,10,1,struct.pack("<L",26))],extra=struct.pack("<ll",-6,-1)); blocks["dbl"]=tiff([(274,12,1,struct.pack("<L",26))],extra=struct.pack("<d",6))
blocks["cnt2"]=tiff([(274,3,2,struct.pack("<HH",6,3))]); blocks["cnt0"]=tiff([(274,3,0,s(6))]); blocks["cnt3"]=tiff([(274,3,3,struct.pack("<L",26))],extra=struct.pack("<HHH",8,1,1))
blocks["dup68"]=tiff(o(6)+o(8)); blocks["dup6bad"]=tiff(o(6)+[(274,99,1,s(8))]); blocks["dup6byte"]=tiff(o(6)+[(274,1,1,s(8))]); blocks["dup6cnt0"]=tiff(o(6)+[(274,3,0,s(8))])
blocks["truncbefore"]=tiff([(270,2,500,struct.pack("<L",26))]+o(6)); blocks["truncafter"]=tiff(o(6)+[(270,2,500,struct.pack("<L",26))])
blocks["cutdir"]=tiff(o(6)+o(8),cut=8+2+12+5); blocks["cut1"]=tiff(o(6),cut=20); blocks["badmagic"]=tiff(o(6),magic=b"XX*\0"); blocks["mmle"]=tiff(o(6,True),True,magic=b"MM*\0"); blocks["iibe"]=tiff(o(6),magic=b"II\0*"); blocks["empty"]=b""; blocks["nodir"]=b"II*\0\x08\0\0\0"; blocks["far"]=b"II*\0\xff\xff\0\0"; blocks["bigcount"]=tiff([(274,3,0x7fffffff,s(6))]); blocks["none"]=tiff([(271,2,2,b"a\0\0\0")]); blocks["prefixed"]=b"Exif\0\0"+tiff(o(6)); blocks["prefixed2"]=b"Exif\0\0Exif\0\0"+tiff(o(6))
xmps={"x6":b'<x tiff:Orientation="6"/>',"x8e":b"<tiff:Orientation>8</tiff:Orientation>","x0":b'tiff:Orientation="0"',"xq":b"tiff:Orientation='6'","x68":b'tiff:Orientation="6" tiff:Orientation="8"',"x12":b'tiff:Orientation="12"',"xq6":b"tiff:Orientation='3' tiff:Orientation=\"6\"","xbad":b"\xff\xfe tiff:Orientation=\"3\""}
n=0
def put(name,d):
    global n; open(f"{out}/{n:04d}_{name}","wb").write(d); n+=1
b=io.BytesIO(); im.save(b,"JPEG"); J=b.getvalue(); J2=J[:2]+J[20:]
b=io.BytesIO(); im.save(b,"PNG"); P=b.getvalue()
b=io.BytesIO(); im.save(b,"WEBP",lossless=True); Wb=b.getvalue()
def app1(c): return b"\xff\xe1"+struct.pack(">H",len(c)+2)+c
def jx(parts,jfif=True): 
    base=J if jfif else J2
    k=20 if jfif else 2
    return base[:k]+b"".join(app1(p) for p in parts)+base[k:]
E6=b"Exif\0\0"; X=b"http://ns.adobe.com/xap/1.0/\0"
def chunk(t,c): return struct.pack(">L",len(c))+t+c+struct.pack(">L",zlib.crc32(t+c))
def png(before,after=()): 
    i=33
    iend=P.rindex(b"IEND")-4
    return P[:i]+b"".join(chunk(*c) for c in before)+P[i:iend]+b"".join(chunk(*c) for c in after)+P[iend:]
def raw(t,nl=b"\n"): 
    h=t.hex().encode(); 
    return b"\nexif\n%8d\n"%len(t)+nl.join(h[k:k+72] for k in range(0,len(h),72))+b"\n"
def webp(chunks,flags): 
    body=Wb[12:]
    v=b"VP8X"+struct.pack("<L",10)+bytes([flags,0,0,0])+struct.pack("<L",22)[:3]+struct.pack("<L",16)[:3]
    c=v+body
    for t,d in chunks: c+=t+struct.pack("<L",len(d))+d+(b"\0" if len(d)&1 else b"")
    return b"RIFF"+struct.pack("<L",len(c)+4)+b"WEBP"+c
for k,t in blocks.items():
    for jf in (True,False): put(f"j_{k}{jf}.jpg",jx([E6+t],jf))
    put(f"p_{k}.png",png([(b"eXIf",t)])); put(f"pr_{k}.png",png([(b"zTXt",b"Raw profile type exif\0\0"+zlib.compress(raw(E6+t)))]))
    put(f"w_{k}.webp",webp([(b"EXIF",t)],0x08)); 
    put(f"jx_{k}.jpg",jx([E6+t,X+xmps["x8e"]])); put(f"px_{k}.png",png([(b"eXIf",t),(b"iTXt",b"XML:com.adobe.xmp\0\0\0\0\0"+xmps["x8e"])])); put(f"wx_{k}.webp",webp([(b"EXIF",t),(b"XMP ",xmps["x8e"])],0x0c))
ks=["n6","n1","n3","none","empty","badmagic","cut1","n9"]
for a in ks:
    for c in ks:
        put(f"jj_{a}_{c}.jpg",jx([E6+blocks[a],E6+blocks[c]])); put(f"pp_{a}_{c}.png",png([(b"eXIf",blocks[a]),(b"eXIf",blocks[c])])); put(f"pa_{a}_{c}.png",png([(b"eXIf",blocks[a])],[(b"eXIf",blocks[c])])); put(f"ww_{a}_{c}.webp",webp([(b"EXIF",blocks[a]),(b"EXIF",blocks[c])],8))
        put(f"pe_{a}_{c}.png",png([(b"tEXt",b"Raw profile type exif\0"+raw(E6+blocks[a])),(b"eXIf",blocks[c])]))
T=blocks["n6"]
for cut in range(1,len(T)+4,3): put(f"jsplit{cut}.jpg",jx([E6+T[:cut],E6+T[cut:]]))
for k,x in xmps.items():
    put(f"jX_{k}.jpg",jx([X+x])); put(f"jXX_{k}.jpg",jx([X+x,X+xmps["x8e"]])); put(f"wX_{k}.webp",webp([(b"XMP ",x)],4)); put(f"wX0_{k}.webp",webp([(b"XMP ",x)],0)); put(f"wXX_{k}.webp",webp([(b"XMP ",x),(b"XMP ",xmps['x8e'])],4))
    put(f"pX_{k}.png",png([(b"iTXt",b"XML:com.adobe.xmp\0\0\0\0\0"+x)])); put(f"pXz_{k}.png",png([(b"iTXt",b"XML:com.adobe.xmp\0\1\0\0\0"+zlib.compress(x))])); put(f"pXt_{k}.png",png([(b"tEXt",b"XML:com.adobe.xmp\0"+x)])); put(f"pXl_{k}.png",png([(b"iTXt",b"XML:com.adobe.xmp\0\0\0en\0tk\0"+x)])); put(f"pXa_{k}.png",png([],[(b"iTXt",b"XML:com.adobe.xmp\0\0\0\0\0"+x)])); put(f"pXXl_{k}.png",png([(b"iTXt",b"XML:com.adobe.xmp\0\0\0\0\0"+x),(b"iTXt",b"XML:com.adobe.xmp\0\0\0\0\0"+xmps["x8e"])]))
    put(f"pr_{k}.png",png([(b"iTXt",b"Raw profile type exif\0\0\0\0\0"+raw(E6+blocks["n6"],b"\r\n")),(b"iTXt",b"XML:com.adobe.xmp\0\0\0\0\0"+x)]))
put("w_noflag.webp",webp([(b"EXIF",T)],0)); put("w_odd.webp",webp([(b"ABCD",b"x"),(b"EXIF",E6+T)],8)); put("jExifNoNul.jpg",jx([b"Exif\0"+T]))
put("jcom0.jpg",J[:20]+b"\xff\xfe\0\0"+J[20:]); put("japp0.jpg",J[:20]+b"\xff\xe5\0\1"+J[20:]); put("jdht0.jpg",J[:20]+b"\xff\xc4\0\0"+J[20:])
# TIFFs
for v in range(0,10):
    for typ,f in ((3,"H"),(4,"L"),(8,"h"),(9,"l"),(1,"B")):
        b=io.BytesIO(); im.save(b,"TIFF",tiffinfo={274:7}); d=bytearray(b.getvalue()); 
        off=struct.unpack("<L",d[4:8])[0]; cnt=struct.unpack("<H",d[off:off+2])[0]
        for i in range(cnt):
            e=off+2+12*i
            if struct.unpack("<H",d[e:e+2])[0]==274: d[e+2:e+4]=struct.pack("<H",typ); d[e+8:e+12]=s(v,False,f)
        put(f"t_{v}_{typ}.tif",bytes(d))
b=io.BytesIO(); im.save(b,"TIFF",tiffinfo={700:xmps["x6"]}); put("tX.tif",b.getvalue())
