"""Weights learned from self-play, read by :mod:`quoridor_net.clobber.patterns`."""

TEMPO = 31
WORTH = (
    "c-kG6c}&)I9LL{Y910@0Ac|6{AgC$ek$96N8kRY=nT4CVW*)VcTW)1DTdi5krp_o+7t5|ca%sz!2WmPMMLd{_d7u)aAc81@zI#3H",
    "*~9bv_#U74_4zz@gjyZSJ4sh9mAb_-s&N-(>VY4*g4fe(r+c2HBt`0+|MNqSR;to?zUavcobRUs^=4O=;x$=KE_Y{k#_O^dtB)or",
    "R0*1)GPl<qcTljxcm=7GMrexO)-)aRe6`mKJ*8!us|-z7NA6A10R88A>Z|^0bQ<s9+)*(qR2+4>Xpov6q!*RW`DZ|J$5YuGq$-bM",
    "mwm|@8mnXtRJ|`c9X=tt?;KVFx7Wcsh^j51D)&AQ)(zGx+(S{|iqjtN_6hIQE9wr)-+jb;eFbgaf_XRPfv&SIQR$?+>zXrRcEt~z",
    "#|;f=n!qbYu{!H<ut?T1s$^4ZH9Ey|uEn(;iCz=+yoTs~y{3b%b0;($uQ4c?t8n<v;(R*VXQN2CMkx{8y{OwxgEdua)C7`p)SrOr",
    "owQMl^rou)i(X=VkGp~;4qdWTtkW*_eviQ8@ydn61y<8wdD8_vU-luN1NSi0%tg;)KZo-BUE?jDt!RzI#eQ1v;V2#r{$M<6$KU&|",
    "_DptmL!|^V(HW&{(7o2vwFAc@wUc@kHm-{kc{n*51&;e5TIHyxmZ$^|3lxGE9W)#N;?OOO-D&97>Yv;fWjCWtHq1lFXFD(iShx8)",
    "cL&2@i?8xMLd#j*sMXZ{(u2rR83}B27{2y=jCHo=D2FVj>aZ7SvrmI`jZ;bbNl;h%9{jVxbkjR<Efj|z;debZr|Ub=UUxmHkNCI`",
    "Q*WIk;kVC?K7(_u)Jf*vYyOIyti|65+-l*!d#RH{hMt7^A>a3pXi?>({uzB6*!MlR9>b$kV7TCuV7f~(!*RCKQMej#uEOhC8Kt!@",
    ";>;;8pjM@Wae13RMb$zLL#<4mcQIPT>j};`yBTcH>IdzD&AX^yM<?gA`z+lV4YvodsPqv1;Ubvqa9|FUIfa^AQDQy0YT_vaXBs%s",
    "O6R9h;}*&{!XXn?BB@yGIcU`lAKUyVwX0#6p>gbvqDL1qNk-t-w^S!VWc#S|^`UN~R0=a8Umt0gR#CIoH>h9jWqyyu#AqE8DZt^p",
    "SAye=Z-ccnIWIuVCN#?;aZMho1+blfy6trUPeL_PFZdfOPePmRegpp!N!?y<uRyW!`ju{t=VTQuVo6Ch`3*;}62F6rMP9=9RDBKW",
    "GJnpjh~a6jy23CGj6?bCMV3PFwg-L-6lv5iCs7GZj=$VT54j^5L@9Jr6uPgVFN>L0(#Ieu@<O_)g#Ag}bI-YSVhNQtgQ!308wl$t",
    ">V<>939tA2b@1Qy0MdUG#8*jMBCD~FCupT#<>p}S+KEyTnhAnd|LYk{oKloYq}M{JoQ2=Z>8lb?!_8*qWiQ;j<*m3ehGb6#OCy~)",
    "na{CgE}3cxD02`mKOwc7@U|z<2~5!qE@UPxrH{+}nOErp?w&&aR+9W#^lKR%l0YY$L?@zee>f$;Dur*kU>VBE4)_!XhIOQ{4sL~H",
    "sEt`)&3x(2u8WUR2WvN#1M5pUQAUC?w1mD3L-Vol_?tv#&;?24=#eMFcRnc0j3_0c$>=kk*>>Ln7Z&106*D(U!>KiZUyy%D>@9x5",
    "wtE|$u?ytAbp@4*a3zNQ^YjJxY|;_bir{sYoa8Amw^NwDmpD^{*7dknN4041Y`}p|%&P+2srSn|L3cIy0KX%VxS5aQ$=vfl;oT`|",
)
